//! Instructions of generated code, counted for one processor that is the same everywhere: they guard what no clock
//! can guard in a test. `counts.txt` has them; `AG_BLESS=1` renews it.
//!
//! Code of kernels is not generated here. Of a graph that calls some, the calls count, and the memory.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use ag_ir::read;

use crate::Executable;
use crate::code::Asked;
use crate::isa::Isa;

/// How much more than recorded fails.
const SLACK: f64 = 1.02;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/instructions")
}

/// The instructions of a listing, by block in the order of the code: how many, and the blocks jumped to.
fn blocks(listing: &str) -> Vec<(usize, usize, Vec<usize>)> {
    let number = |text: &str| text.trim_end_matches(':').parse::<usize>().ok();
    let mut blocks: Vec<(usize, usize, Vec<usize>)> = Vec::new();
    for line in listing.lines().map(str::trim) {
        if let Some(block) = line.strip_prefix("block").and_then(number) {
            blocks.push((block, 0, Vec::new()));
        } else if let Some((_, count, targets)) = blocks.last_mut()
            && !line.is_empty()
        {
            *count += 1;
            let words = line.split(|letter: char| !letter.is_ascii_alphanumeric());
            targets.extend(words.filter_map(|word| word.strip_prefix("label")).filter_map(number));
        }
    }
    blocks
}

/// All instructions of a function, and those of each loop: between a block and a jump back to it.
fn counted(listing: &str) -> (usize, Vec<usize>) {
    let blocks = blocks(listing);
    let all = blocks.iter().map(|(_, count, _)| count).sum();
    let mut loops = Vec::new();
    for (place, (_, _, targets)) in blocks.iter().enumerate() {
        let starts =
            targets.iter().filter_map(|target| blocks.iter().position(|(block, ..)| block == target));
        let starts: Vec<usize> = starts.filter(|start| *start <= place).collect();
        loops.extend(
            starts
                .into_iter()
                .map(|start| blocks[start..=place].iter().map(|(_, count, _)| count).sum::<usize>()),
        );
    }
    (all, loops)
}

/// A line for each graph: its instructions, those of its loops, its kernels and the bytes of its arena.
fn table() -> String {
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "counts.txt")
        .collect();
    names.sort();
    let mut table = String::new();
    for name in names {
        let text = std::fs::read_to_string(folder().join(&name)).unwrap();
        let function = read(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut asked = Asked { is_listed: true, ..Asked::default() };
        let executable = Executable::compile_with(&function, Isa::Base, &mut asked).unwrap();
        let [kernels, arena] = executable.sizes();
        let (mut all, mut loops) = (0, Vec::new());
        for listing in &asked.listings {
            let (count, inside) = counted(listing);
            all += count;
            loops.extend(inside);
        }
        let loops = loops.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
        let name = name.trim_end_matches(".txt");
        writeln!(table, "{name}: instructions {all}; loops {loops}; kernels {kernels}; arena {arena}")
            .unwrap();
    }
    table
}

/// The numbers of a line.
fn numbers(line: &str) -> Vec<usize> {
    line.split(|letter: char| !letter.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect()
}

/// What is worse than recorded, or better than that.
fn differences(got: &str, recorded: &str) -> Vec<String> {
    let name = |line: &str| line.split(':').next().unwrap_or_default().to_owned();
    let names = |text: &str| text.lines().map(name).collect::<Vec<_>>();
    if names(got) != names(recorded) {
        return vec!["other graphs".to_owned()];
    }
    let mut found = Vec::new();
    for (got, recorded) in got.lines().zip(recorded.lines()) {
        let rest = |line: &str| numbers(line.split_once(':').map_or("", |(_, rest)| rest));
        let (now, before) = (rest(got), rest(recorded));
        let is_same = now.len() == before.len()
            && now
                .iter()
                .zip(&before)
                .all(|(now, before)| now >= before && *now as f64 <= *before as f64 * SLACK);
        if !is_same {
            found.push(format!("{got}\n  recorded: {recorded}"));
        }
    }
    found
}

#[test]
#[cfg(target_arch = "x86_64")]
fn instructions_of_loops_are_as_recorded() {
    let (got, path) = (table(), folder().join("counts.txt"));
    if std::env::var("AG_BLESS").is_ok_and(|value| value == "1") {
        std::fs::write(&path, &got).unwrap();
    }
    let recorded = std::fs::read_to_string(&path).unwrap_or_default();
    let found = differences(&got, &recorded);
    assert!(
        found.is_empty(),
        "generated code has other instructions. If that is meant, renew the table with AG_BLESS=1:\n{}",
        found.join("\n")
    );
}

#[test]
fn code_that_grows_or_shrinks_is_noticed() {
    let recorded = "a: instructions 200; loops 10; kernels 1; arena 64\n";
    assert!(differences(recorded, recorded).is_empty());
    assert!(differences(&recorded.replace("200", "203"), recorded).is_empty(), "a few percent");
    for worse in [("200", "210"), ("10;", "11;"), ("1;", "2;"), ("64", "128"), ("10;", "10 4;"), ("a:", "b:")]
    {
        assert_eq!(differences(&recorded.replace(worse.0, worse.1), recorded).len(), 1, "{worse:?}");
    }
    assert_eq!(differences(&recorded.replace("10;", "9;"), recorded).len(), 1, "better, and not recorded");
}

#[test]
fn a_loop_is_from_a_block_to_the_jump_back() {
    let listing = "block0:\n  movq %rdi, %rax\n  jmp label1\nblock1:\n  addq $1, %rax\n  jnz label1; j label2\nblock2:\n  ret\n";
    assert_eq!(counted(listing), (5, vec![2]));
}
