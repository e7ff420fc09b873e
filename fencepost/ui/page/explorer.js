
"use strict";
(() => {
  const at = (id) => document.getElementById(id);

  // Everything that the model says goes on the screen through this: as text, never as markup.
  // include make.js
  const values = (pairs) => pairs.map(([name, value]) => `${name} is ${value}`).join(", ");
  const here = () => decodeURIComponent(location.hash.slice(1));
  const go = (path) => { location.hash = encodeURIComponent(path); };

  async function ask(question) {
    const answer = await fetch(question);
    const told = await answer.json();
    if (!answer.ok) throw new Error(told.error || "no answer");
    return told;
  }

  // The newest question wins: an answer that comes late is not shown.
  let asked = 0;
  async function show() {
    const mine = ++asked;
    let told;
    try { told = await ask(`state?path=${encodeURIComponent(here())}`); }
    catch (error) { if (mine === asked) at("message").textContent = error.message; return; }
    if (mine === asked) draw(told);
  }

  function draw(told) {
    at("title").textContent = told.title;
    document.title = told.title;
    const open = told.steps.filter((step) => !("guard" in step) && !("breaks" in step));
    const closed = told.steps.filter((step) => "guard" in step || "breaks" in step);
    const failing = told.properties.filter((property) => property.fails);
    at("message").textContent = told.broken ? `the last step broke an obligation: ${told.broken}`
      : failing.length ? `violated here: ${failing.map((property) => property.name).join(", ")}` : "";
    at("open").replaceChildren(...open.map(take));
    if (!open.length) at("open").append(make("p", { text: told.broken ? "The run ends here." : "Nothing can be taken." }));
    at("closedbox").firstElementChild.textContent = `cannot be taken (${closed.length})`;
    at("closed").replaceChildren(...closed.map(blocked));
    at("path").replaceChildren(...told.path.map((step) =>
      make("li", {}, make("button", { type: "button", title: step.actor, onclick: () => go(step.link) },
        make("code", { text: step.call })), ...step.notes.map((note) => make("span", { class: "note", text: note })))));
    at("properties").replaceChildren(...told.properties.map(property));
    at("undo").disabled = !told.path.length;
    at("undo").onclick = () => go(told.path.length > 1 ? told.path[told.path.length - 2].link : "");
    drawState(told);
  }
  const then = (label) => (here() ? `${here()};${label}` : label);
  const take = (step) => make("button", { type: "button", class: `take ${step.kind}${step.idle ? " idle" : ""}`,
    title: [step.doc, step.src].filter(Boolean).join("\n"), "data-step": step.label, onclick: () => go(then(step.label)) },
    make("code", { text: step.call }), make("small", { text: `${step.actor}${step.kind === "progress" ? "" : `, ${step.kind}`}` }));
  const blocked = (step) => make("div", { class: "blocked", title: step.doc }, make("code", { text: step.call }),
    make("small", { text: "breaks" in step ? `breaks an obligation: ${step.breaks}`
      : `“${step.guard}” does not hold${step.values.length ? `: ${values(step.values)}` : ""}` }));
  const property = (told) => make("li", { class: told.fails ? "fault" : "", title: told.statement },
    make("strong", { text: `${told.fails ? "✗" : "✓"} ${told.name}` }),
    make("button", { type: "button", text: "find a violation", "data-find": told.name, onclick: () => find(told.name) }),
    ...(told.fails ? [make("div", { class: "src", text: `fails: ${told.fails}` })] : []));

  async function find(name) {
    at("message").textContent = `looking for a violation of ${name} …`;
    try {
      const told = await ask(`find?property=${encodeURIComponent(name)}`);
      if ("path" in told) { go(told.path); show(); } else at("message").textContent = `${name}: ${told.none}`;
    } catch (error) { at("message").textContent = error.message; }
  }

  function drawState(told) {
    const boxes = told.tables.map((table) => {
      const grid = make("table");
      if (table.columns.some((name) => name))
        grid.append(make("tr", {}, make("th"), ...table.columns.map((name) => make("th", { text: name }))));
      table.rows.forEach((name, r) => grid.append(make("tr", {}, make("th", { text: name }), ...table.cells[r].map((element) =>
        element === null ? make("td", { class: "none" })
          : make("td", { class: told.values[element] === told.before[element] ? "value" : "value new",
            title: `before: ${told.before[element]}`, text: told.values[element] })))));
      return make("div", {}, make("h3", { text: table.title || "state" }), grid);
    });
    at("state").replaceChildren(...boxes);
  }

  at("restart").addEventListener("click", () => go(""));
  // include theme.js
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "u" && !at("undo").disabled) at("undo").click();
  });
  window.addEventListener("hashchange", show);
  show();
})();
