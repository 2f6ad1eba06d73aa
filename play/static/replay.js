"use strict";
// Watches a game that was played: every moment is worked out from the first and the changes since.
(() => {
  const { html, svg, styled, words, LETTERS } = Ettana;
  const byId = (id) => document.getElementById(id);
  const game = JSON.parse(byId("data").textContent);
  const players = game.names.length, last = game.steps.length;
  const states = [game.first];
  for (const step of game.steps) states.push({ ...states[states.length - 1], ...step.change });
  const turns = [0];  // the moments at which a turn starts
  for (let n = 1; n < last; n++) if (states[n].phase === "roll" && (states[n - 1].phase !== "roll")) turns.push(n);
  let moment = 0, eyes = null, timer = null;

  const DASHES = ["", "7 4", "2 3", "10 3 2 3"];
  const WIDTH = 560, HEIGHT = 230, LEFT = 36, RIGHT = 24, TOP = 10, BOTTOM = 22;
  const x = (n) => LEFT + (WIDTH - LEFT - RIGHT) * (last ? n / last : 0);
  const y = (chance) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - chance);
  const name = (seat) => `${LETTERS[seat]} ${game.names[seat]}`;

  function seen(state) {
    if (eyes === null) return state;
    const hidden = (hands) => hands.map((hand, seat) => seat === eyes ? hand : hand.map(() => null));
    return { ...state, action_hands: hidden(state.action_hands), design_hands: hidden(state.design_hands) };
  }

  const text = (n) => { const step = game.steps[n - 1]; return eyes === null || !step.told ? step.text : step.told[eyes]; };

  function go(n) {
    moment = Math.max(0, Math.min(last, n));
    show();
  }

  function turnBefore() { return turns.filter((n) => n < moment).pop() ?? 0; }
  function turnAfter() { return turns.find((n) => n > moment) ?? last; }

  function pause() {
    clearInterval(timer);
    timer = null;
    byId("go").textContent = "Play";
  }

  function playOrPause() {
    if (timer !== null) { pause(); return; }
    if (moment === last) moment = 0;
    byId("go").textContent = "Pause";
    timer = setInterval(() => { if (moment >= last) pause(); else go(moment + 1); }, Number(byId("pace").value));
    go(moment);
  }

  function status(state) {
    if (state.phase === "over") return game.ending + ".";
    const what = state.phase === "place" ? "placing pins" : `turn ${state.turn + 1}`;
    return `Action ${moment} of ${last}, ${what}: ${name(state.player)} to ${state.phase}.`;
  }

  function show() {
    const state = seen(states[moment]), step = moment ? game.steps[moment - 1] : null;
    byId("turn").textContent = status(state);
    byId("dice").replaceChildren(...Ettana.dice(game, state));
    Ettana.drawBoard(byId("board"), game, state, { marked: Ettana.touched(step && step.action) });
    byId("supply").replaceChildren(...Ettana.supply(game, state));
    byId("where").value = moment;
    byId("where").setAttribute("aria-valuetext", byId("turn").textContent);
    byId("turns").value = String(turns.filter((n) => n <= moment).pop());
    const lately = [];
    for (let n = moment; n > Math.max(0, moment - 5); n--) {
      lately.push(html(n === moment ? "p" : "li", {}, Ettana.pin(game, game.steps[n - 1].seat), text(n)));
    }
    byId("now").replaceChildren(...(lately.length ? [lately[0], html("ol", {}, ...lately.slice(1))] : [html("p", {}, "The table is laid.")]));
    byId("seats").replaceChildren(...game.names.map((_, seat) => Ettana.seat(game, state, seat, false, eyes === null || eyes === seat)));
    showChoices();
    byId("cursor")?.setAttribute("transform", `translate(${x(moment)} 0)`);
    document.body.dataset.moment = moment;
  }

  // The decision that comes next: what the policy would do, and what was done.
  function showChoices() {
    const part = byId("choices"), judged = game.judged[moment], step = game.steps[moment];
    part.hidden = !judged.choices || (eyes !== null && eyes !== step?.seat);
    if (part.hidden) return;
    const rows = judged.choices.map(([what, chance]) => [what, chance, step && what === step.words]);
    if (step && !rows.some((row) => row[2])) rows.push([step.words, judged.taken ?? 0, true]);
    part.replaceChildren(html("h2", {}, `The next decision, ${name(states[moment].player)}'s, by ${game.judge}`),
      html("table", {}, ...rows.map(([what, chance, taken]) => html("tr", { class: taken ? "taken" : "" },
        html("td", {}, words(what) + (taken ? " (done)" : "")), html("td", {}, `${(100 * chance).toFixed(0)}%`),
        html("td", {}, html("div", { class: "bar" }, styled(document.createElement("i"), { width: `${100 * chance}%` })))))));
  }

  // --- The graph of the chances to win ---

  function lineOf(seat) {
    const known = [];
    game.judged.forEach((judged, n) => { const chance = judged.chances?.[seat]; if (chance !== null && chance !== undefined) known.push([n, chance]); });
    return known;
  }

  function drawGraph() {
    const graph = byId("graph"), shown = [...Array(players).keys()].filter((seat) => eyes === null || eyes === seat);
    const lines = shown.map((seat) => [seat, lineOf(seat)]).filter(([, known]) => known.length > 1);
    byId("chances").hidden = lines.length === 0;
    if (!lines.length) return;
    byId("judge").textContent = `Chances to win, by ${game.judge}`;
    graph.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    const parts = [svg("rect", { x: LEFT, y: TOP, width: WIDTH - LEFT - RIGHT, height: HEIGHT - TOP - BOTTOM, fill: "#fbf8f1" })];
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      parts.push(svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(share), y2: y(share), stroke: "#ddd3bf", "stroke-width": 1 }),
        svg("text", { x: LEFT - 5, y: y(share), "text-anchor": "end", "dominant-baseline": "central", "font-size": 10, fill: "#6f675c" }, `${100 * share}%`));
    }
    const every = Math.ceil(turns.length / 12);
    turns.forEach((n, place) => {
      if (place % every === 0 && states[n].phase !== "place") parts.push(svg("text", { x: x(n), y: HEIGHT - 8, "text-anchor": "middle", "font-size": 10, fill: "#6f675c" }, states[n].turn + 1));
    });
    for (const [seat, known] of lines) {
      const colour = game.colours.seats[seat], end = known[known.length - 1];
      parts.push(svg("polyline", { points: known.map(([n, chance]) => `${x(n).toFixed(1)},${y(chance).toFixed(1)}`).join(" "), fill: "none",
        stroke: colour, "stroke-width": 2.2, "stroke-dasharray": DASHES[seat], "data-seat": seat }),
        svg("text", { x: x(end[0]) + 5, y: y(end[1]) + 4 * (seat - 1.5), "dominant-baseline": "central", "font-size": 11, fill: colour }, LETTERS[seat]));
    }
    const points = game.turning_points.filter((point) => shown.includes(point.seat));
    points.forEach((point, place) => parts.push(
      svg("circle", { class: "turning", cx: x(point.end), cy: y(point.after), r: 8, fill: "white", stroke: game.colours.mark, "stroke-width": 2 }),
      svg("text", { x: x(point.end), y: y(point.after), "text-anchor": "middle", "dominant-baseline": "central", "font-size": 10, fill: game.colours.ink }, place + 1)));
    const cursor = svg("g", { id: "cursor" });
    cursor.append(svg("line", { x1: 0, x2: 0, y1: TOP, y2: HEIGHT - BOTTOM, stroke: game.colours.mark, "stroke-width": 1.5 }));
    parts.push(cursor);
    graph.replaceChildren(...parts);
    byId("points").replaceChildren(...points.map((point, place) => html("button", { type: "button", onclick: () => { pause(); go(point.step); } },
      `${place + 1}. Turn ${states[point.step - 1].turn + 1}: ${LETTERS[point.seat]} ${Math.round(100 * point.before)}% → ${Math.round(100 * point.after)}%, when ${LETTERS[game.steps[point.step - 1].seat]} ${text(point.step)}`)));
  }

  byId("graph").addEventListener("click", (event) => {
    const box = byId("graph").getBoundingClientRect();
    const at = (event.clientX - box.left) * WIDTH / box.width;
    pause();
    go(Math.round((at - LEFT) / (WIDTH - LEFT - RIGHT) * last));
  });

  const steps = { first: () => go(0), back: () => go(moment - 1), on: () => go(moment + 1), last: () => go(last) };
  for (const [id, act] of Object.entries(steps)) byId(id).addEventListener("click", () => { pause(); act(); });
  byId("go").addEventListener("click", playOrPause);
  byId("where").addEventListener("input", (event) => { pause(); go(Number(event.target.value)); });
  byId("turns").addEventListener("change", (event) => { pause(); go(Number(event.target.value)); });
  byId("pace").addEventListener("change", () => { if (timer !== null) { pause(); playOrPause(); } });
  byId("eyes").addEventListener("change", (event) => { eyes = event.target.value === "all" ? null : Number(event.target.value); drawGraph(); show(); });
  const KEYS = { ArrowLeft: () => go(moment - 1), ArrowRight: () => go(moment + 1), ArrowUp: () => go(turnBefore()), ArrowDown: () => go(turnAfter()),
    PageUp: () => go(turnBefore()), PageDown: () => go(turnAfter()), Home: () => go(0), End: () => go(last) };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("select")) return;
    if (event.key === " " && !event.target.matches("button")) { event.preventDefault(); playOrPause(); return; }
    if (!KEYS[event.key]) return;
    event.preventDefault();
    pause();
    KEYS[event.key]();
  });

  document.title = `Ettana: ${game.title}`;
  byId("where").max = last;
  byId("message").textContent = game.fault ? `The record is at fault: ${game.fault}` : "";
  byId("turns").replaceChildren(...turns.map((n) => html("option", { value: n },
    states[n].phase === "place" ? "Placing pins" : `Turn ${states[n].turn + 1}: ${name(states[n].player)}`)));
  byId("eyes").replaceChildren(html("option", { value: "all" }, "all hands"), ...game.names.map((_, seat) => html("option", { value: seat }, `what ${name(seat)} saw`)));
  drawGraph();
  show();
})();
