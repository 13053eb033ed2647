//! The plan of a function: the step that each node becomes, and the memory in which each array lives.
//!
//! Planning walks the function once. Every array value gets a pointer when the code runs; the plan
//! says where that pointer comes from. Memory is a set of *alias classes*: two values that are in one
//! class may share memory. A node may overwrite an operand if all values of its classes are dead
//! afterwards, so `x = x * 2` in a loop works in place, and `y = x` before it does not.
//!
//! A loop has *slots*: pointers that are its parameters. An array carry starts in its own slot;
//! what the body makes for it goes back into that slot if the old value is dead, else into a spare
//! one, and the next iteration permutes pointers. `a, b = b, a` moves no element.
//!
//! The words of the plan, with those of compilers that plan memory in the same way:
//!
//! | here | elsewhere | is |
//! | --- | --- | --- |
//! | step | instruction, thunk | what a node becomes |
//! | residence | alias set, points-to set | all alias classes and all memory that a value may be in |
//! | memory | buffer, allocation | a piece of the arena, or the memory of a result of the function |
//! | arena | buffer pool, scratch arena | what all pieces of a call are cut out of |
//! | piece, position | live range, program point | how long memory is in use, in numbers of nodes |
//! | place | buffer assignment | where a value that a node makes is put |
//! | place over, update | in-place, buffer reuse | the result is written where a dead operand is |
//! | hint | coalescing preference | where a value would need no copy later |
//! | room | buffer class | memory of one room may trade places |
//! | carry | loop-carried value, block argument | what an iteration hands to the next |
//! | slot | pointer of a loop-carried buffer | a parameter of the loop that points to a carry, or is spare |
//! | spare slot | second buffer (double buffering) | where a carry is made while its old value is read |
//! | donation, taken | input-output aliasing, buffer donation | a result takes over the memory of a parameter |
//! | staged result | temporary of a parallel move | a result that waits while others are copied |
//! | cell | descriptor, dope vector | address, length, capacity and sizes of what only the run knows |
//! | contents | data of a descriptor | what a cell points to |
//! | view, lazy view | strided view, layout | an operand that is read where it lies |
//! | group, leaf, member | fusion, input and node of it | element-wise nodes that run as one |
//! | tile program | fused loop, strip-mined | a group as instructions on pieces of some elements |
//! | scratch | workspace | memory for one call of a kernel |

mod arena;
mod calls;
pub(crate) mod donation;
mod elementwise;
pub(crate) mod fuse;
pub(crate) mod ids;
mod joins;
mod lists;
mod loops;
mod memory;
mod nodes;
mod planner;
mod products;
mod reductions;
mod rows;
mod shaping;
mod sized;
mod stays;
pub(crate) mod step;
pub(crate) mod tree;

use ag_ir::Function;
use cranelift_codegen::entity::PrimaryMap;

use self::donation::Donations;
use self::fuse::Fusion;
use self::ids::{BlockId, KernelId, MemoryId};
use self::planner::{Hint, MemoryRequest, Planner, Residence};
use self::stays::Stays;
use self::step::{Memory, Place, Step};
use self::tree::Tree;
use crate::error::CompileError;
use crate::isa::Isa;
use crate::kernels::KernelEntry;
use crate::lists::CELL_BYTES;
use crate::memory::ALIGNMENT;
use crate::values::ValueMap;

/// The plan of one function, from which code is generated.
pub(crate) struct Plan {
    /// The step of each node, by block.
    pub(crate) steps: PrimaryMap<BlockId, Vec<Step>>,
    /// The place of each value that a node makes in memory; none for scalars and views.
    pub(crate) places: ValueMap<Option<Place>>,
    /// The kernels that the steps call.
    pub(crate) kernels: PrimaryMap<KernelId, KernelEntry>,
    /// Literal arrays.
    pub(crate) constants: Vec<u8>,
    /// All pieces of memory.
    pub(crate) memory: PrimaryMap<MemoryId, Memory>,
    /// Bytes of the arena, the cells of lists included.
    pub(crate) arena_bytes: usize,
    /// Where in the arena the cells of lists start; they take the rest of it.
    pub(crate) first_cell: usize,
    /// For each result, the parameter whose memory it takes over (input-output aliasing).
    pub(crate) taken: Vec<Option<usize>>,
    /// For each result, the memory in which it waits while other results are copied.
    pub(crate) staged: Vec<Option<MemoryId>>,
    /// Which nodes run together.
    pub(crate) fusion: Fusion,
}

/// Plans a function: the main one if `number` is none, else the graph's function of that number.
pub(crate) fn plan<'f>(
    function: &'f Function,
    number: Option<usize>,
    donations: &'f Donations,
    isa: Isa,
) -> Result<(Plan, Tree<'f>), CompileError> {
    let mut tree = Tree::new(function);
    tree.keeps_order = isa == Isa::Exact;
    let fusion = Fusion::decide(&mut tree);
    let stays = Stays::decide(&tree, &fusion);
    let steps = tree.blocks.values().map(|entry| Vec::with_capacity(entry.block.nodes.len())).collect();
    let mut planner = Planner {
        function,
        tree,
        fusion,
        isa,
        steps,
        places: ValueMap::of(function, None),
        kernels: PrimaryMap::new(),
        constants: Vec::new(),
        requests: PrimaryMap::new(),
        classes: PrimaryMap::new(),
        residences: ValueMap::of(function, Residence::default()),
        hints: stays.made_at.map(|made| made.map(Hint::Put)),
        views: stays.views,
        loops: PrimaryMap::new(),
        donations,
        taken: number.map_or(&[], |number| donations.of_function(number)),
        staged: Vec::new(),
    };
    planner.plan_function()?;
    let mut pieces = Vec::new();
    let mut numbers = Vec::new();
    for request in planner.requests.values() {
        numbers.push(pieces.len());
        if let MemoryRequest::Arena { piece, .. } = request {
            pieces.push(*piece);
        }
    }
    let (offsets, arena_bytes) = arena::assign(&pieces);
    let first_cell = arena_bytes.next_multiple_of(ALIGNMENT);
    let mut arena_bytes = first_cell;
    let memory = planner
        .requests
        .values()
        .zip(numbers)
        .map(|(request, number)| match request {
            MemoryRequest::Arena { .. } => Memory::Arena(offsets[number]),
            MemoryRequest::Cell => {
                arena_bytes += CELL_BYTES;
                Memory::Arena(arena_bytes - CELL_BYTES)
            }
            MemoryRequest::Output(output) => Memory::Output(*output),
        })
        .collect();
    let plan = Plan {
        steps: planner.steps,
        places: planner.places,
        kernels: planner.kernels,
        constants: planner.constants,
        memory,
        arena_bytes,
        first_cell,
        taken: planner.taken.to_vec(),
        staged: planner.staged,
        fusion: planner.fusion,
    };
    Ok((plan, planner.tree))
}
