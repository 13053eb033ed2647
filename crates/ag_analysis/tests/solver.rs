//! The solver against naive iteration over paths, on random small graphs.

use ag_analysis::BitSet;
use ag_analysis::dataflow::{Direction, Graph, Point, Problem};
use proptest::prelude::*;

const WIDTH: u32 = 5;

#[derive(Clone, Debug)]
struct Case {
    count: u32,
    edges: Vec<(u32, u32)>,
    /// What each node adds and takes.
    effects: Vec<(u8, u8)>,
    initial: u8,
    boundary: u32,
}

fn case() -> impl Strategy<Value = Case> {
    (1_u32..9).prop_flat_map(|count| {
        let edges = prop::collection::vec((0..count, 0..count), 0..16);
        let effects = prop::collection::vec((0_u8..32, 0_u8..32), count as usize);
        (edges, effects, 0_u8..32, 0..count).prop_map(move |(edges, effects, initial, boundary)| Case {
            count,
            edges,
            effects,
            initial,
            boundary,
        })
    })
}

fn apply((adds, takes): (u8, u8), set: u8) -> u8 {
    (set & !takes) | adds
}

/// Facts where each node starts, found by following every path one edge at a time. An element's way
/// over a path does not depend on other elements, so the states (node, element) are all there is.
/// What a node adds starts at the node whether or not the boundary reaches it.
fn naive(case: &Case, edges: &[(u32, u32)]) -> Vec<u8> {
    let mut facts = vec![0; case.count as usize];
    let mut waiting: Vec<(u32, u8)> = (0..case.count).map(|node| (node, 0)).collect();
    waiting.push((case.boundary, case.initial));
    while let Some((node, set)) = waiting.pop() {
        let out = apply(case.effects[node as usize], set);
        for (_, next) in edges.iter().filter(|(from, _)| *from == node) {
            if out & !facts[*next as usize] != 0 {
                facts[*next as usize] |= out;
                waiting.push((*next, facts[*next as usize]));
            }
        }
        facts[node as usize] |= set;
    }
    facts
}

fn bits(set: &BitSet) -> u8 {
    set.iter().fold(0, |bits, number| bits | 1 << number)
}

fn solved(case: &Case, direction: Direction) -> (Vec<u8>, Vec<u8>) {
    let mut graph = Graph::default();
    (0..case.count).for_each(|_| {
        graph.add_node();
    });
    case.edges.iter().for_each(|(from, to)| graph.add_edge(*from, *to));
    let mut initial = BitSet::new(WIDTH as usize);
    (0..WIDTH).filter(|number| case.initial & 1 << number != 0).for_each(|number| initial.insert(number));
    let transfer = |node: u32, set: &mut BitSet| {
        let out = apply(case.effects[node as usize], bits(set));
        for number in 0..WIDTH {
            if out & 1 << number != 0 { set.insert(number) } else { set.remove(number) }
        }
    };
    let (mut before, mut after) = (vec![0; case.count as usize], vec![0; case.count as usize]);
    let boundary = case.boundary;
    Problem { graph: &graph, direction, boundary, initial: &initial, transfer }.solve().walk(
        |node, point, set| {
            let list = if point == Point::Before { &mut before } else { &mut after };
            list[node as usize] = bits(set);
        },
    );
    (before, after)
}

proptest! {
    #[test]
    fn forward_agrees_with_paths(case in case()) {
        let (before, after) = solved(&case, Direction::Forward);
        let expected = naive(&case, &case.edges);
        for node in 0..case.count as usize {
            prop_assert_eq!(before[node], expected[node]);
            prop_assert_eq!(after[node], apply(case.effects[node], expected[node]));
        }
    }

    #[test]
    fn backward_agrees_with_paths(case in case()) {
        let (before, after) = solved(&case, Direction::Backward);
        let reversed: Vec<(u32, u32)> = case.edges.iter().map(|(from, to)| (*to, *from)).collect();
        let expected = naive(&case, &reversed);
        for node in 0..case.count as usize {
            prop_assert_eq!(after[node], expected[node]);
            prop_assert_eq!(before[node], apply(case.effects[node], expected[node]));
        }
    }
}
