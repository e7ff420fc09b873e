
"use strict";
(() => {
  const trace = JSON.parse(document.getElementById("trace").textContent);
  const at = (id) => document.getElementById(id);
  const steps = trace.steps;
  const total = steps.length;

  // Everything that a trace says goes on the screen through this: as text, never as markup.
  // include make.js
  const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
  const jump = (n) => make("button", { type: "button", class: "jump", text: `step ${n}`, onclick: () => go(n) });
  const values = (pairs) => pairs.map(([name, value]) => `${name} is ${value}`).join(", ");

  // The head.
  at("title").append(make("code", { text: trace.violated }), ` ${trace.title}`);
  at("statement").textContent = trace.statement;
  at("setting").textContent = [...trace.setting, ...(trace.protects ? [`protects ${trace.protects}`] : [])].join(" · ");
  at("command").textContent = trace.command;

  // The lanes: a column an actor, a row a step; what does not matter can be folded away.
  const rows = [];
  const body = at("lanes").tBodies[0];
  at("lanes").tHead.append(
    make("tr", {}, make("th", { class: "number", text: "#" }), ...trace.actors.map((actor) => make("th", { text: actor }))));

  const side = (lane) => (lane * 2 >= trace.actors.length ? "lane right" : "lane");
  function rowOf(step, n) {
    const event = make("div", { class: "event" },
      make("span", { class: "call", text: step.call }),
      ...step.notes.map((note) => make("span", { class: "note", text: note })),
      ...(step.broken ? [make("span", { class: "note broken", text: step.broken })] : []));
    const row = make("tr", { class: [step.cause ? "cause" : "", trace.loop !== null && n > trace.loop ? "loop" : ""].join(" "), "data-step": n, title: step.src },
      make("td", { text: n }),
      ...trace.actors.map((actor, lane) => make("td", {}, ...(actor === step.actor ? [make("div", { class: side(lane) }, event)] : []))));
    row.addEventListener("click", () => go(n));
    return row;
  }
  steps.forEach((step, i) => rows.push(rowOf(step, i + 1)));
  const start = make("tr", { "data-step": 0 }, make("td", { text: 0 }),
    make("td", { colspan: trace.actors.length || 1, text: "the initial state" }));
  start.addEventListener("click", () => go(0));
  const end = make("tr", { class: "end" }, make("td"),
    make("td", { colspan: trace.actors.length || 1, text: trace.ending || `${trace.violated} is violated` }));
  end.addEventListener("click", () => at("why").scrollIntoView());

  const matters = (step, i) => step.milestone || step.cause || i === total - 1;
  let unfolded = new Set();
  const folds = new Map();
  function foldOf(from, to) {
    const name = `${from}-${to}`;
    if (!folds.has(name)) {
      const fold = make("tr", { class: "fold", title: "click to unfold" },
        make("td", { text: name }),
        make("td", { colspan: trace.actors.length || 1, text: `… ${plural(to - from + 1, "step")}` }));
      fold.addEventListener("click", () => { for (let n = from; n <= to; n++) unfolded.add(n); layOut(); });
      folds.set(name, fold);
    }
    return folds.get(name);
  }
  function layOut() {
    const folding = at("fold").checked && steps.some((step) => matters(step));
    const shown = [start];
    let hidden = [];
    const flush = () => {
      // One step takes no more room than what would stand in its place.
      if (hidden.length === 1) shown.push(rows[hidden[0] - 1]);
      else if (hidden.length) shown.push(foldOf(hidden[0], hidden[hidden.length - 1]));
      hidden = [];
    };
    steps.forEach((step, i) => {
      if (folding && !matters(step, i) && i + 1 !== now && !unfolded.has(i + 1)) hidden.push(i + 1);
      else { flush(); shown.push(rows[i]); }
    });
    flush();
    patch([...shown, end]);
  }
  // Rows that stay are left alone: to lay out a long table anew takes several pictures' time.
  function patch(wanted) {
    const kept = new Set(wanted);
    for (const row of [...body.children]) if (!kept.has(row)) row.remove();
    wanted.forEach((row, n) => { if (body.children[n] !== row) body.insertBefore(row, body.children[n] ?? null); });
  }

  // The state: tables of elements, updated where a step changes them.
  const cells = [];
  const current = [];
  const changing = new Set(steps.flatMap((step) => step.changes.map((change) => change[0])));
  const faulty = new Set([...trace.why.values, ...trace.why.blocked.flatMap((b) => b.values)].map((pair) => pair[0]));
  for (const table of trace.tables) {
    for (const [element, value] of Object.entries(table.initial)) current[element] = value;
    if (!table.cells.flat().some((element) => changing.has(element))) continue;
    const used = table.columns.map((_, c) => table.cells.some((row) => changing.has(row[c])));
    const grid = make("table");
    if (table.columns.some((name) => name))
      grid.append(make("tr", {}, make("th"), ...table.columns.filter((_, c) => used[c]).map((name) => make("th", { text: name }))));
    table.rows.forEach((name, r) => {
      const line = make("tr", {}, make("th", { text: name }));
      table.cells[r].forEach((element, c) => {
        if (!used[c]) return;
        if (element === null) { line.append(make("td", { class: "none" })); return; }
        const title = `${table.title}${name === "" ? "" : `[${name}]`}${table.columns[c] && (table.title || name) ? "." : ""}${table.columns[c]}`;
        cells[element] = make("td", { class: faulty.has(title) ? "value looked" : "value", title });
        line.append(cells[element]);
      });
      grid.append(line);
    });
    at("state").append(make("div", {}, make("h3", { text: table.title || "state" }), grid));
  }
  cells.forEach((cell, element) => { cell.textContent = current[element]; });
  const put = (element, value) => {
    current[element] = value;
    if (cells[element]) cells[element].textContent = value;
  };

  // Where we are.
  let now = 0;
  let marked = [];
  function go(target, scroll = true) {
    const wanted = Math.max(0, Math.min(total, target));
    while (now < wanted) for (const [element, , , after] of steps[now++].changes) put(element, after);
    while (now > wanted) for (const [element, , before] of steps[--now].changes) put(element, before);
    for (const cell of marked) cell.classList.remove("new", "fault");
    marked = [];
    const step = now ? steps[now - 1] : null;
    for (const [element] of step ? step.changes : []) mark(cells[element], "new");
    if (now === total) for (const cell of cells) if (cell && cell.classList.contains("looked")) mark(cell, "fault");
    showStep(step);
    at("slider").value = now;
    at("where").textContent = `${now} of ${total}`;
    const row = now ? rows[now - 1] : start;
    if (!row.isConnected) layOut();
    [start, ...rows].forEach((each, n) => {
      each.classList.toggle("here", n === now);
      each.classList.toggle("later", n > now);
    });
    if (scroll) reveal(row);
  }
  // Scrolls the lanes, not the page.
  function reveal(row) {
    const box = at("run").firstElementChild;
    const head = at("lanes").tHead.offsetHeight;
    const [above, below] = [row.offsetTop - head - box.scrollTop, row.offsetTop + row.offsetHeight - box.scrollTop - box.clientHeight];
    if (above < 0) box.scrollTop += above;
    else if (below > 0) box.scrollTop += below;
  }
  function mark(cell, name) {
    if (!cell) return;
    cell.classList.add(name);
    marked.push(cell);
  }
  function showStep(step) {
    const box = at("step");
    if (!step) { box.replaceChildren(make("strong", { text: "The initial state" })); return; }
    const parts = [
      make("strong", { text: `${now}. ${step.actor}: ` }), make("code", { text: step.call }),
      make("div", { class: "src", text: step.src }),
      ...step.notes.map((note) => make("div", { class: "note", text: note })),
    ];
    if (step.broken) parts.push(make("div", { class: "broken", text: step.broken }));
    if (step.changes.length)
      parts.push(make("h3", { text: "changes" }), make("ul", {}, ...step.changes.map(([, name, before, after]) =>
        make("li", {}, make("code", { text: name }), ": ", make("del", { text: before }), " → ", make("ins", { text: after })))));
    if (step.guards.length)
      parts.push(make("h3", { text: "because" }), make("ul", {}, ...step.guards.map((guard) =>
        make("li", { title: guard.condition }, `${guard.name}`, ...(guard.values.length ? [make("span", { class: "src", text: `: ${values(guard.values)}` })] : [])))));
    box.replaceChildren(...parts);
  }

  // Why, where another model parts from the run, and the life of each handle.
  const why = trace.why;
  at("why").append(make("h2", { text: "Why" }), make("ul", {},
    make("li", {}, "fails: ", make("code", { class: "fault", text: why.fails })),
    ...(why.bindings.length ? [make("li", { text: `for ${why.bindings.map(([name, value]) => `${name} = ${value}`).join(", ")}` })] : []),
    ...why.given.map((given) => make("li", {}, "although ", make("code", { text: given }))),
    ...(why.values.length ? [make("li", { text: `where ${values(why.values)}` })] : []),
    ...[...why.starved, ...why.blocked].map((blocked) => make("li", { text: blocked.text }, ...(blocked.values.length ? [make("span", { class: "src", text: `: ${values(blocked.values)}` })] : []))),
    ...(why.earlier ? [make("li", { text: `and ${why.earlier} more refused earlier` })] : [])));
  if (trace.waits.length) {
    at("why").append(make("h3", { text: "waiting in a circle" }), make("ul", {}, ...trace.waits.map(([actor, other, told]) =>
      make("li", {}, make("strong", { text: `${actor} → ${other}` }), ...told.map((text) => make("div", { class: "src", text }))))));
  }
  const because = steps.map((step, i) => (step.cause ? i + 1 : 0)).filter(Boolean);
  if (because.length) {
    at("why").append(make("p", {}, "These values come from ", ...because.flatMap((n, i) => (i ? [", ", jump(n)] : [jump(n)])), "."));
  }
  if (trace.other) {
    const told = trace.other.partings.map(([n, text]) => make("li", {}, jump(n), ` ${text}`));
    at("other").append(make("h2", { text: `What ${trace.other.name} does instead` }),
      told.length ? make("ul", {}, ...told) : make("p", { text: trace.other.same }));
  }
  if (trace.lives.length) {
    at("lives").append(make("h2", { text: "Lifecycle" }), ...trace.lives.map((life) =>
      make("p", { class: "life" }, make("strong", { class: life.at_fault ? "fault" : "", text: `${life.subject}: ` }),
        ...life.events.flatMap(([n, text], i) => [...(i ? [" → "] : []), make("button", { type: "button", title: `step ${n}`, text, onclick: () => go(n) })]))));
  }

  // Controls.
  at("slider").max = total;
  at("slider").addEventListener("input", (event) => go(Number(event.target.value)));
  at("first").addEventListener("click", () => go(0));
  at("back").addEventListener("click", () => go(now - 1));
  at("next").addEventListener("click", () => go(now + 1));
  at("last").addEventListener("click", () => go(total));
  at("fold").addEventListener("change", () => { unfolded = new Set(); layOut(); go(now); });
  // include theme.js
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = {
      ArrowRight: () => go(now + 1), ArrowDown: () => go(now + 1), ArrowLeft: () => go(now - 1), ArrowUp: () => go(now - 1),
      Home: () => go(0), End: () => go(total), f: () => at("fold").click(), t: theme,
    };
    if (!(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  });

  at("fold").checked = total > 24;
  layOut();
  go(total);
})();
