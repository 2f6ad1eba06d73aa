"use strict";
// Draws the table: the loom with yarns, tiles and pins, designs, seats. Used by the page to play on and by replays.
const Ettana = (() => {
  const NS = "http://www.w3.org/2000/svg";
  const LETTERS = "ABCD";
  const CELL = 100, MARGIN = 40;

  function svg(name, attributes = {}, text = null) {
    const element = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== null) element.textContent = text;
    return element;
  }

  function html(name, attributes = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else if (value === true) element.setAttribute(key, "");
      else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
    }
    element.append(...children.filter((child) => child !== null && child !== ""));
    return element;
  }

  // Set through the style object, which a strict content policy allows, unlike a style attribute.
  function styled(element, style) { Object.assign(element.style, style); return element; }

  function octagonPoints(x, y, radius) {
    const cut = radius * 0.414;
    return [[-cut, -radius], [cut, -radius], [radius, -cut], [radius, cut], [cut, radius], [-cut, radius], [-radius, cut],
      [-radius, -cut]].map(([dx, dy]) => `${(x + dx).toFixed(1)},${(y + dy).toFixed(1)}`).join(" ");
  }

  const diamond = (x, y, half) => `${x},${y - half} ${x + half},${y} ${x},${y + half} ${x - half},${y}`;
  const words = (name) => name.replaceAll("_", " ");

  // A cell of the board that may be chosen: focusable, by click or Enter.
  function cell(key, label, options) {
    const state = options.cells ? options.cells[key] : undefined;
    const group = svg("g", { "data-key": key });
    if (!state) return group;
    group.setAttribute("class", `can ${state}`);
    group.setAttribute("tabindex", "0");
    group.setAttribute("role", "button");
    group.setAttribute("aria-label", label);
    group.addEventListener("click", () => options.choose(key));
    group.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); options.choose(key); }
    });
    return group;
  }

  // options: cells {key: "now" | "quiet" | "picked"} that can be chosen, choose(key), marked: keys the last action touched.
  function drawBoard(board, facts, view, options = {}) {
    const colours = facts.colours, rim = facts.rules.rim_squares;
    const start = MARGIN + (rim ? CELL / 2 - 16 : 0), side = 2 * start + 5 * CELL;
    const marked = options.marked || [];
    board.setAttribute("viewBox", `0 0 ${side} ${side}`);
    const parts = [svg("rect", { x: start - 26, y: start - 26, width: 5 * CELL + 52, height: 5 * CELL + 52, rx: 8,
      fill: colours.wood, stroke: "#a58f66", "stroke-width": 2 })];
    view.yarns.forEach((colour, octagon) => {
      const x = start + CELL * (octagon % 5 + 0.5), y = start + CELL * (Math.floor(octagon / 5) + 0.5);
      const group = cell(`o${octagon}`, `octagon ${octagon}, ${colour}`, options);
      const touched = marked.includes(`o${octagon}`);
      if (touched) group.classList.add("marked");
      group.append(
        svg("polygon", { class: "halo", points: octagonPoints(x, y, CELL * 0.45), fill: colours.yarns[colour],
          stroke: touched ? colours.mark : "#6d5c3d", "stroke-width": touched ? 6 : 1.5 }),
        svg("text", { x, y: y - 3, "text-anchor": "middle", "dominant-baseline": "central", "font-size": 30,
          fill: colours.on_yarn[colour] }, colour[0].toUpperCase()),
        svg("text", { x, y: y + 25, "text-anchor": "middle", "dominant-baseline": "central", "font-size": 13,
          fill: colours.on_yarn[colour] }, octagon));
      parts.push(group);
    });
    const across = rim ? 6 : 4, shift = rim ? 0 : 1;
    view.tiles.forEach((number, square) => {
      const x = start + CELL * (square % across + shift), y = start + CELL * (Math.floor(square / across) + shift);
      const seat = view.pins.indexOf(square);
      const pin = seat < 0 ? "" : `, pin of ${LETTERS[seat]}`;
      const group = cell(`s${square}`, `square ${square}${number ? `, tile ${number}` : ""}${pin}`, options);
      const touched = marked.includes(`s${square}`);
      if (touched) group.classList.add("marked");
      group.append(svg("polygon", { class: "halo", points: diamond(x, y, 26), fill: number ? colours.tile : "#efe6d2",
        stroke: touched ? colours.mark : "#6d5c3d", "stroke-width": touched ? 5 : 1.2 }));
      if (seat >= 0) {
        const acts = seat === view.player && view.phase !== "over";
        group.append(
          svg("circle", { cx: x, cy: y, r: 21, fill: colours.seats[seat], stroke: acts ? colours.mark : "white", "stroke-width": 3 }),
          svg("text", { x, y: number ? y - 5 : y, "text-anchor": "middle", "dominant-baseline": "central", "font-size": 18,
            fill: "white" }, LETTERS[seat]));
        if (number) group.append(svg("text", { x, y: y + 11, "text-anchor": "middle", "dominant-baseline": "central",
          "font-size": 12, fill: "white" }, number));
      } else if (number) {
        group.append(svg("text", { x, y, "text-anchor": "middle", "dominant-baseline": "central", "font-size": 22,
          fill: colours.ink }, number));
      }
      parts.push(group);
    });
    board.replaceChildren(...parts);
  }

  // The arrow keys go from a cell of the board to the nearest one that way.
  function arrows(board) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    board.addEventListener("keydown", (event) => {
      const way = ways[event.key], from = document.activeElement;
      if (!way || !board.contains(from)) return;
      event.preventDefault();
      const middle = (element) => { const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
      const [x, y] = middle(from);
      let best = null, least = Infinity;
      for (const other of board.querySelectorAll(".can")) {
        const [a, b] = middle(other);
        const ahead = (a - x) * way[0] + (b - y) * way[1], aside = Math.abs((a - x) * way[1]) + Math.abs((b - y) * way[0]);
        if (other !== from && ahead > 4 && ahead + 3 * aside < least) { best = other; least = ahead + 3 * aside; }
      }
      if (best) best.focus();
    });
  }

  // The keys of the cells an action touched.
  function touched(action) {
    if (!action) return [];
    const keys = ["a", "b", "octagon"].filter((key) => key in action).map((key) => `o${action[key]}`);
    return "square" in action ? [...keys, `s${action.square}`] : keys;
  }

  function design(facts, name, away) {
    if (name === null) return html("div", { class: "design", title: "hidden" }, "?");
    const { pattern, points } = facts.rules.designs[name];
    const groups = [...new Set(pattern.join("").replaceAll(".", ""))].sort();
    const size = 5, drawing = svg("svg", { viewBox: `0 0 ${size * 10} ${size * 10}`, role: "img",
      "aria-label": `pattern ${pattern.join(" / ")}` });
    const left = (size - pattern[0].length) * 5, top = (size - pattern.length) * 5;
    pattern.forEach((row, r) => [...row].forEach((letter, c) => {
      if (letter === ".") return;
      const place = groups.indexOf(letter), x = left + 10 * c, y = top + 10 * r;
      drawing.append(svg("rect", { x: x + 0.5, y: y + 0.5, width: 9, height: 9, rx: 1.5, fill: facts.colours.groups[place] }));
      if (place === 1) drawing.append(svg("circle", { cx: x + 5, cy: y + 5, r: 1.8, fill: "white" }));
      if (place > 1) drawing.append(svg("line", { x1: x + 1, y1: y + 9, x2: x + 9, y2: y + 1, stroke: facts.colours.ink, "stroke-width": 1 }));
    }));
    const how = away === undefined ? "" : away === null ? "yarns missing" : away === 0 ? "complete" : `${away} swap${away > 1 ? "s" : ""} away`;
    return html("div", { class: away === 0 ? "design done" : "design" }, drawing, html("div", {}, name),
      html("small", {}, `${points} point${points > 1 ? "s" : ""}${how ? ", " + how : ""}`));
  }

  function pin(facts, seat) {
    return styled(html("span", { class: "pin" }, LETTERS[seat]), { background: facts.colours.seats[seat] });
  }

  // open: whether the hands of this seat are shown, here as words.
  function seat(facts, view, number, you, open) {
    const acts = number === view.player && view.phase !== "over";
    const points = view.points[number], target = facts.rules.points_to_win;
    const fill = styled(document.createElement("i"), { width: `${Math.min(100, 100 * points / target)}%`, background: facts.colours.seats[number] });
    const name = you ? "you" : facts.names[number];
    const claimed = view.claimed[number];
    const card = html("div", { class: acts ? "seat acts" : "seat" }, pin(facts, number), html("b", {}, name),
      html("div", { class: "figures" }, html("span", {}, `${points} of ${target} points`),
        html("span", {}, `${view.tokens[number]} token${view.tokens[number] === 1 ? "" : "s"}`),
        html("span", {}, `${view.action_hands[number].length} card${view.action_hands[number].length === 1 ? "" : "s"}`),
        html("span", {}, `${view.design_hands[number].length} design${view.design_hands[number].length === 1 ? "" : "s"}`)),
      html("div", { class: "track" }, fill));
    if (claimed.length) card.append(html("div", {}, `claimed: ${claimed.join(", ")}`));
    if (view.victory_cards[number]) card.append(html("div", {}, `victory points: ${view.victory_cards[number]}`));
    if (open) card.append(html("div", { class: "cards" }, ...view.action_hands[number].map((kind) => html("span", { class: "card" }, words(kind)))),
      html("div", { class: "designs" }, ...view.design_hands[number].map((one) => design(facts, one))));
    return card;
  }

  function dice(facts, view) {
    const { number, colour } = view.dice, found = [];
    if (number !== null) found.push(html("div", { class: "die" }, String(number)));
    if (colour !== null) found.push(styled(html("div", { class: "die" }, colour === "black" ? "K" : colour[0].toUpperCase()),
      { background: facts.colours.yarns[colour] || "#161616", color: facts.colours.on_yarn[colour] || "white" }));
    return found;
  }

  function supply(facts, view) {
    const yarns = html("span", {}, "reserve ");
    for (const colour of view.reserve_yarns) {
      yarns.append(styled(html("span", { class: "swatch", title: colour }), { background: facts.colours.yarns[colour] }), colour[0].toUpperCase() + " ");
    }
    yarns.append(`tiles ${view.reserve_tiles.join(" ")}`);
    const cards = view.action_stack.length ?? view.action_stack, designs = view.design_stack.length ?? view.design_stack;
    return [html("span", {}, `bank ${view.bank}`), yarns,
      html("span", {}, `${cards} cards (${view.action_discard.length} discarded), ${designs} designs to draw`)];
  }

  return { LETTERS, arrows, design, dice, drawBoard, html, pin, seat, styled, supply, svg, touched, words };
})();
