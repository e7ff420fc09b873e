"""Promela, for SPIN: one process whose loop has a `d_step` for each action with each choice of arguments.

A state of the text is a state of the model, but for one before the initial values are set. Places for
values on the way are 0 between steps. A property is a step of its own, which changes nothing and
fails where the property is broken. Each step prints its name, so that the replay of a trail is a trace.
"""

from __future__ import annotations

import itertools
from contextlib import nullcontext

from attrs import field, mutable

from fencepost.export.current import current
from fencepost.export.formats import Exported
from fencepost.export.header import header_lines, left_out
from fencepost.export.naming import Names
from fencepost.export.promela_code import PAD, Code, Places, comment, is_plain
from fencepost.export.promela_state import State
from fencepost.export.simplify import simplified, simplified_action
from fencepost.ir.expr import Var
from fencepost.ir.model import Action, Guard, GuardKind, Model, Property, PropertyKind
from fencepost.ir.sorts import NONE

_RESERVED = """
active assert atomic bit bool break byte chan c_code c_decl c_expr c_state c_track d_step do d_proctype else
empty enabled eval false fi for full get_priority goto hidden if in init inline int len local ltl mtype nempty
never nfull notrace np_ od of pc_value pid printf printm priority proctype provided return run select
set_priority short show skip timeout trace true typedef unless unsigned xr xs always eventually until weakuntil
release implies equivalent at now state signed char long float double void const static struct union enum switch
case default register volatile while continue extern auto sizeof define include model initial trans uchar ushort
"""

WHY = "the steps are fair, not the process that takes them, and SPIN's fairness is of processes"


def export(model: Model) -> Exported:
    """The model as a Promela program."""
    return Exported(_Writer.of(model).program())


@mutable
class _Writer:
    model: Model
    names: Names
    state: State
    places: Places
    params: dict[str, str]
    """The name of each parameter, of all actions: a loop's place has another one, since an inline replaces words."""
    saved: dict[str, int]
    """The locals of all actions, and how many elements each has; 0 for a single value."""
    known: dict[tuple[str, int], str] = field(factory=dict)

    @classmethod
    def of(cls, model: Model) -> _Writer:
        names = Names.without(_RESERVED.split())
        state = State.of(model, names)
        known = dict.fromkeys(param.name for action in model.actions for param in action.params)
        return cls(model, names, state, Places(names), {name: names.fresh(name) for name in known}, {})

    def program(self) -> str:
        asked = [prop for prop in self.model.properties if prop.kind is not PropertyKind.RESPONSE]
        calls: list[str] = []
        inlines = [self.step(action, calls) for action in self.model.actions]
        inlines += [self.property(prop, calls) for prop in asked]
        process = self.process(calls)
        head = [*header_lines(self.model), *left_out(self.model, WHY)]
        return "\n".join([_comment(head), self.declarations(), *inlines, process])

    def declarations(self) -> str:
        text = "".join(f"{line}\n" for line in (f"#define {self.state.none} ({NONE})", *self.state.values))
        text += "\n" + "\n".join(self.state.typedefs) + "\n" + "".join(f"{line}\n" for line in self.state.variables)
        places = [*self.places.temps, *self.places.loops.values()]
        places += [f"{name}[{count}]" if count else name for name, count in self.saved.items()]
        if places:
            text += "\n/* Values on the way: 0 between steps. */\n"
            text += "".join(f"int {', '.join(places[i : i + 8])};\n" for i in range(0, len(places), 8))
        return text

    def process(self, calls: list[str]) -> str:
        options = "".join(f"  :: d_step {{ {call} }}\n" for call in calls) or "  :: false\n"
        start = "".join(f"    {line}\n" for line in self.state.initial(self.model))
        return (
            f"active proctype {self.names.fresh('protocol')}() {{\n"
            f"  d_step {{\n    skip;\n{start}  }}\n"
            f"end:\n  do\n{options}  od\n}}\n"
        )

    # Steps

    def step(self, action: Action, calls: list[str]) -> str:
        kept = current(action)
        action = simplified_action(kept.action)
        code = Code(action.name, self.state, self.places, self.params, depth=1)
        code.locals = {local: (self.local(local), var) for local, var in kept.locals.items()}
        told = ", ".join(f"{param.name}=%d" for param in action.params)
        values = "".join(f", {self.params[param.name]}" for param in action.params)
        tells = f'printf("step {action.name}({told})\\n"{values});'
        code.untold = tells
        asked = self.guards(action.guards, code)
        code.untold = ""
        if asked:
            code.put(f"if\n{PAD}:: {asked} ->")
            code.depth += 1
        code.put(tells)
        code.block(action.body)
        if asked:
            code.depth -= 1
            code.put(f":: else\n{PAD}fi;")
        self.rest(code, [name for name, _ in code.locals.values()])
        name = self.names.fresh(action.name)
        every = itertools.product(*(param.sort.values() for param in action.params))
        calls.extend(f"{name}({', '.join(map(str, args))})" for args in every)
        about = [f"{action.src} (by {action.actor.name}, {action.kind.value})", *action.doc.strip().splitlines()]
        head = ", ".join(self.params[param.name] for param in action.params)
        return f"{_comment(about)}inline {name}({head}) {{\n{_lines(code)}}}\n"

    def guards(self, guards: tuple[Guard, ...], code: Code) -> str:
        """Guards that are expressions, as far as they come first, hold the step back; the place of the others' truth.

        Where one of the others is false, the step is taken and does nothing.
        """
        plain = list(itertools.takewhile(lambda guard: is_plain(guard.cond), guards))
        if plain:
            for guard in plain:
                code.put(_guard(guard))
            code.put(f"({' && '.join(code.expr(guard.cond) for guard in plain)});")
        else:
            code.put("skip;")
        if len(plain) == len(guards):
            return ""
        result = code.temp()
        for number, guard in enumerate(guards[len(plain) :]):
            code.put(_guard(guard))
            if number:
                code.put(f"if\n{PAD}:: {result} ->")
            with code.deeper() if number else nullcontext(), code.statement():
                code.put(f"{result} = {code.expr(guard.cond)};")
            if number:
                code.put(f":: else\n{PAD}fi;")
        return result

    def property(self, prop: Property, calls: list[str]) -> str:
        code = Code(prop.name, self.state, self.places, depth=1)
        code.put("skip;")
        with code.statement():
            code.check(code.expr(simplified(prop.holds)), prop.name)
        self.rest(code, [])
        name = self.names.fresh(f"check_{prop.name}")
        calls.append(f"{name}()")
        return f"{_comment(prop.statement.strip().splitlines())}inline {name}() {{\n{_lines(code)}}}\n"

    def rest(self, code: Code, saved: list[str]) -> None:
        """Leave all places that the step used at 0."""
        for name in (*code.used, *saved):
            if self.saved.get(name):
                code.put(f"{self.places.temp(0)} = 0;")
                code.put(
                    f"for ({self.places.temp(0)} : 0 .. {self.saved[name] - 1}) {{ {name}[{self.places.temp(0)}] = 0 }}"
                )
                code.put(f"{self.places.temp(0)} = 0;")
            else:
                code.put(f"{name} = 0;")

    def local(self, local: Var) -> str:
        """The place of a local: one for each name, shared by actions whose local has as many elements."""
        wanted = local.name
        count = local.count if local.dims else 0
        key = (wanted, count)
        if key not in self.known:
            self.known[key] = self.names.fresh(wanted)
            self.saved[self.known[key]] = count
        return self.known[key]


def _guard(guard: Guard) -> str:
    return f"/* {'' if guard.kind is GuardKind.REQUIRE else 'bound: '}{comment(guard.name)} */"


def _lines(code: Code) -> str:
    return "".join(f"{line}\n" for line in code.lines)


def _comment(lines: list[str]) -> str:
    return "".join(f"/* {comment(line)} */\n" for line in lines if line.strip())
