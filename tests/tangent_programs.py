"""All programs on which Tangent's derivatives are checked, and those that are refused."""

from __future__ import annotations

import tangent_programs_of_array_loops
import tangent_programs_of_arrays
import tangent_programs_of_blocks
import tangent_programs_of_choices
import tangent_programs_of_chosen_functions
import tangent_programs_of_closures
import tangent_programs_of_constructors
import tangent_programs_of_containers
import tangent_programs_of_failures
import tangent_programs_of_faults
import tangent_programs_of_filters
import tangent_programs_of_functions
import tangent_programs_of_handlers
import tangent_programs_of_held_lists
import tangent_programs_of_keys
import tangent_programs_of_matches
import tangent_programs_of_methods
import tangent_programs_of_names
import tangent_programs_of_networks
import tangent_programs_of_nonlocals
import tangent_programs_of_numbers
import tangent_programs_of_objects
import tangent_programs_of_order
import tangent_programs_of_series
import tangent_programs_of_solvers
import tangent_programs_of_super
import tangent_programs_of_users
import tangent_programs_of_writes
from tangent_case import Program

PROGRAMS: list[Program] = [
    *tangent_programs_of_numbers.PROGRAMS.found,
    *tangent_programs_of_arrays.PROGRAMS.found,
    *tangent_programs_of_array_loops.PROGRAMS.found,
    *tangent_programs_of_functions.PROGRAMS.found,
    *tangent_programs_of_closures.PROGRAMS.found,
    *tangent_programs_of_constructors.PROGRAMS.found,
    *tangent_programs_of_super.PROGRAMS.found,
    *tangent_programs_of_nonlocals.PROGRAMS.found,
    *tangent_programs_of_chosen_functions.PROGRAMS.found,
    *tangent_programs_of_containers.PROGRAMS.found,
    *tangent_programs_of_keys.PROGRAMS.found,
    *tangent_programs_of_names.PROGRAMS.found,
    *tangent_programs_of_matches.PROGRAMS.found,
    *tangent_programs_of_faults.PROGRAMS.found,
    *tangent_programs_of_blocks.PROGRAMS.found,
    *tangent_programs_of_objects.PROGRAMS.found,
    *tangent_programs_of_users.PROGRAMS.found,
    *tangent_programs_of_writes.PROGRAMS.found,
    *tangent_programs_of_choices.PROGRAMS.found,
    *tangent_programs_of_series.PROGRAMS.found,
    *tangent_programs_of_handlers.PROGRAMS.found,
    *tangent_programs_of_failures.PROGRAMS.found,
    *tangent_programs_of_methods.PROGRAMS.found,
    *tangent_programs_of_order.PROGRAMS.found,
    *tangent_programs_of_held_lists.PROGRAMS.found,
    *tangent_programs_of_filters.PROGRAMS.found,
    *tangent_programs_of_networks.PROGRAMS.found,
    *tangent_programs_of_solvers.PROGRAMS.found,
]

BY_NAME = {one.name: one for one in PROGRAMS}

REFUSED: dict[str, str] = {
    **tangent_programs_of_closures.REFUSED,
    **tangent_programs_of_methods.REFUSED,
    **tangent_programs_of_chosen_functions.REFUSED,
    **tangent_programs_of_nonlocals.REFUSED,
    **tangent_programs_of_objects.REFUSED,
    **tangent_programs_of_containers.REFUSED,
    **tangent_programs_of_keys.REFUSED,
    **tangent_programs_of_handlers.REFUSED,
    **tangent_programs_of_held_lists.REFUSED,
    **tangent_programs_of_filters.REFUSED,
    **tangent_programs_of_networks.REFUSED,
    **tangent_programs_of_solvers.REFUSED,
    **tangent_programs_of_super.REFUSED,
    "method_in_a_variable": "AG022",
    "returns_nothing": "AG021",
    "yields": "AG021",
    "alias_of_an_array_of_the_module_written": "AG023",
    "walrus_in_while": "AG021",
    "shadowed_builtin": "AG021",
    "tangent_is_a_name": "AG021",
    "sorted_in_place": "TypeError",
    "swap_of_rows": "TypeError",
    "row_of_a_place_that_is_not_known_taken": "TypeError",
    "list_of_either_branch": "AG023",
    "array_written_beside_its_windows": "AG023",
    "results_bound_to_what_was_written": "AG023",
    "result_is_an_argument_that_is_read": "AG021",
    "a_partial": "AG022",
    "append_of_the_same_array": "AG023",
    "method_of_an_argument": "AG022",
    "parameter_named_as_a_builtin": "AG021",
    "variables_named_as_builtins": "AG021",
    "variable_named_math": "AG021",
    "variable_named_range_beside_a_loop": "AG021",
    "variables_named_reversed_and_len": "AG021",
    "variables_named_as_classes": "AG021",
    "array_of_the_module_written": "AG021",
    "global_that_is_written": "AG021",
    "dict_of_the_module_written": "AG021",
    "list_of_the_module_written": "AG021",
    "array_in_a_copied_list_written": "AG023",
    "array_in_a_list_of_a_list_written": "AG023",
    "alias_sorted": "TypeError",
    "alias_shuffled": "AG021",
    "writer_in_a_test": "AG021",
    "writer_in_a_print": "AG021",
    "writer_in_a_conversion": "AG021",
    "writer_in_an_operand": "AG021",
    "writer_in_a_loop_test": "AG021",
    "pop_in_a_print": "AG021",
}
"""The code of the refusal of a program. `TypeError`: found when the derivative runs, by its guard."""
