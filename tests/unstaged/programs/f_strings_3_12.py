"""f-strings as ordinary expressions (PEP 701)."""


def case_f_string_with_quotes_and_nesting():
    names, found = ["a", "b"], []
    for name in names:
        found.append(f"{", ".join(names)} {f"{f"{name!r}"}"} {"\n".join(names)}")
        found.append(f"""{
            name  # a comment
            :>{len(names)}
        }""")
        found.append(f"{name:{"<" + str(4)}}|{{{name}}}")
    return found
