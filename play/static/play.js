"use strict";
// Plays a game with the server: shows the table, sends what is chosen, lets the others answer.
(() => {
  const { html, words, LETTERS } = Ettana;
  const byId = (id) => document.getElementById(id);
  const token = document.querySelector('meta[name="ettana-token"]').content;
  const WAYS = { free_swap: "Free swap", swap_card: "Swap (card)", buy_swap: "Buy the swap" };
  const AT_ONCE = ["place", "step", "jump"];  // a click on the square does it, if there is no other way to mean it
  let facts, game, picked = null, hint = null, busy = false, timer = null;

  async function ask(path, body) {
    const options = body === undefined ? {} : { method: "POST", body: JSON.stringify(body),
      headers: { "Content-Type": "application/json", "X-Ettana-Token": token } };
    const response = await fetch(path, options);
    return { status: response.status, body: response.status === 204 ? null : await response.json() };
  }

  // Ask the server for a change; whatever it answers, the page shows how the game stands.
  async function change(what, body = {}, quietly = false) {
    if (busy) return;
    busy = true;
    try {
      const answer = await ask(`/api/${what}`, { version: game.version, ...body });
      const now = answer.status === 200 ? answer.body : answer.body.game;
      hint = answer.status === 200 ? answer.body.hint || null : null;
      say(answer.status === 200 ? "" : quietly && answer.status === 409 ? "" : answer.body.error);
      if (now) { game = now; picked = null; }
      if (hint) say(`${hint.agent} would: ${hint.words}${Ettana.touched(hint.action).length ? " (marked on the board)" : ""}`);
    } catch (problem) {
      say("The server does not answer. Is ettana play still running?");
    } finally {
      busy = false;
    }
    show();
  }

  function say(text) { byId("message").textContent = text; }
  const legal = (test) => game.legal.filter(test);

  function play(action) {
    const { words: _, ...sent } = action;
    change("play", { action: sent });
  }

  // --- What can be chosen on the board ---

  const swapsOf = (octagon) => legal((a) => "a" in a && (a.a === octagon || a.b === octagon));

  function cells() {
    const found = {};
    for (const action of game.legal) {
      if (AT_ONCE.includes(action.kind)) found[`s${action.square}`] = "now";
      else if ("square" in action) found[`s${action.square}`] ??= "quiet";
      else if (action.kind === "free_swap") found[`o${action.a}`] = found[`o${action.b}`] = "now";
      else if ("a" in action) { found[`o${action.a}`] ??= "quiet"; found[`o${action.b}`] ??= "quiet"; }
      else if (action.kind === "replace_yarn") found[`o${action.octagon}`] ??= "quiet";
    }
    if (picked !== null && picked[0] === "o") {
      const octagon = Number(picked.slice(1));
      for (const key of Object.keys(found)) if (key[0] === "o") delete found[key];
      for (const action of swapsOf(octagon)) found[`o${action.a === octagon ? action.b : action.a}`] = "now";
      found[picked] = "picked";
    } else if (picked !== null) found[picked] = "picked";
    return found;
  }

  function choose(key) {
    const number = Number(key.slice(1));
    if (key === picked) { picked = null; show(); return; }
    if (key[0] === "o" && picked !== null && picked[0] === "o") {
      const first = Number(picked.slice(1)), [a, b] = [Math.min(first, number), Math.max(first, number)];
      const ways = legal((action) => action.a === a && action.b === b);
      if (ways.length === 1) play(ways[0]);
      else offer(`Swap ${a} and ${b}:`, ways.map((action) => [WAYS[action.kind], action]));
      return;
    }
    const there = legal((action) => action.square === number && key[0] === "s");
    if (there.length === 1 && AT_ONCE.includes(there[0].kind)) { play(there[0]); return; }
    picked = key;
    show();
    const first = byId("options").querySelector("button");
    if (first && key[0] === "s") first.focus();
  }

  function offer(title, pairs) {
    const buttons = pairs.map(([label, action]) => button(label, () => play(action), action));
    byId("options").replaceChildren(html("p", {}, title), ...buttons, button("Cancel", cancel));
    buttons[0]?.focus();
  }

  function cancel() {
    const key = picked;
    picked = null;
    show();
    if (key) focusOn(key);
  }

  const payers = (action) => action.pay.map((seat) => LETTERS[seat]).join(" and ");
  function labelOf(action) {
    const prices = facts.rules.prices;
    switch (action.kind) {
      case "place": return `Put the pin on ${action.square}`;
      case "roll": return "Roll the dice";
      case "preset": return `Preset ${action.colour}`;
      case "step": return action.pay.length ? `Walk, paying ${payers(action)}` : "Walk there";
      case "jump": return "Jump there";
      case "move_card": return "Move there (card)";
      case "replace_tile": return `Replace the tile by ${action.number} (card)`;
      case "replace_yarn": return `Replace by ${action.colour} (card)`;
      case "claim": return `Claim ${action.design}`;
      case "exchange": return `Exchange ${action.design}`;
      case "steal_card": return `Steal a card from ${LETTERS[action.seat]}`;
      case "steal_tokens": return `Steal tokens from ${LETTERS[action.seat]}`;
      case "gain_tokens": return `Gain tokens: name ${action.number}`;
      case "buy_action": return `Buy a card (${prices.action})`;
      case "buy_design": return `Buy a design (${prices.design})`;
      case "end_turn": return "End the turn";
    }
    return words(action.kind)[0].toUpperCase() + words(action.kind).slice(1) + " (card)";
  }

  function button(label, act, action = null) {
    const main = action && ["roll", "claim", "end_turn"].includes(action.kind);
    const advised = hint && action && hint.words === action.words;
    const made = html("button", { type: "button", class: `${main ? "main" : ""} ${advised ? "advised" : ""}`.trim(), onclick: act,
      "data-key": action ? action.words : label }, label);
    if (action && action.colour) {
      made.prepend(Ettana.styled(html("span", { class: "swatch" }), { background: facts.colours.yarns[action.colour] || "#161616" }));
    }
    return made;
  }

  function showOptions() {
    if (picked === null) { byId("options").replaceChildren(); return; }
    const number = Number(picked.slice(1));
    if (picked[0] === "s") {
      offer(`Square ${number}:`, legal((action) => action.square === number).map((action) => [labelOf(action), action]));
    } else {
      const swaps = swapsOf(number).length > 0;
      const others = legal((action) => action.octagon === number).map((action) => button(labelOf(action), () => play(action), action));
      byId("options").replaceChildren(
        html("p", {}, `Octagon ${number}, ${game.view.yarns[number]}${swaps ? ": choose another to swap it with" : ":"}`),
        ...others, button("Cancel", cancel));
    }
  }

  function showActions() {
    const on_board = (action) => "square" in action || "a" in action || "octagon" in action;
    const buttons = legal((action) => !on_board(action)).map((action) => button(labelOf(action), () => play(action), action));
    const ways = [];
    const has = (kind) => game.legal.some((action) => action.kind === kind);
    if (has("place")) ways.push("put your pin on a marked square");
    if (has("step") || has("jump") || has("move_card")) ways.push("move to a marked square");
    const swaps = Object.keys(WAYS).filter(has).map((kind) => ({ free_swap: "free", swap_card: "with a card", buy_swap: `for ${facts.rules.prices.swap} tokens` })[kind]);
    if (swaps.length) ways.push(`swap two yarns (${swaps.join(", ")})`);
    if (has("replace_yarn") || has("replace_tile")) ways.push("replace a yarn or a tile (card)");
    const on = ways.length ? [html("p", {}, `On the board: ${ways.join("; ")}.`)] : [];
    if (!game.yours) on.push(html("p", {}, game.view.phase === "over" ? "The game is over." : `${facts.names[game.view.player]} is playing.`));
    byId("actions").replaceChildren(...buttons, ...on);
  }

  // --- Showing ---

  function turnWords() {
    const { view } = game;
    if (view.phase === "over") return view.winner === null ? "The game was cut off by a limit." : view.winner === facts.seat ? "You have won!" : `${LETTERS[view.winner]} (${facts.names[view.winner]}) has won.`;
    const what = { place: "place a pin", roll: "roll", act: view.moved ? "act, or end the turn" : "act and move" }[view.phase];
    return `Turn ${view.turn + 1}: ${game.yours ? "you" : `${LETTERS[view.player]} (${facts.names[view.player]})`} to ${what}.`;
  }

  function focusOn(key) {
    const found = [...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key && one.matches("button, .can"));
    if (found) found.focus();
    return Boolean(found);
  }

  function show() {
    const focused = document.activeElement?.dataset?.key;
    const { view } = game;
    byId("turn").textContent = turnWords();
    byId("dice").replaceChildren(...Ettana.dice(facts, view));
    const marked = hint ? Ettana.touched(hint.action) : [];
    Ettana.drawBoard(byId("board"), facts, view, { cells: cells(), choose, marked });
    byId("supply").replaceChildren(...Ettana.supply(facts, view));
    showActions();
    showOptions();
    byId("undo").disabled = !game.can_undo;
    byId("hint").disabled = !game.yours;
    const order = view.points.map((_, n) => (facts.seat + n) % view.players);
    byId("seats").replaceChildren(...order.map((seat) => Ettana.seat(facts, view, seat, seat === facts.seat, false)));
    const cards = view.action_hands[facts.seat], designs = view.design_hands[facts.seat];
    byId("hand").replaceChildren(html("h2", {}, `Your designs${designs.length ? "" : ": none"}`),
      html("div", { class: "designs" }, ...designs.map((name) => Ettana.design(facts, name, game.away[name]))),
      html("h2", {}, `Your cards${cards.length ? "" : ": none"}`),
      html("div", { class: "cards" }, ...cards.map((kind) => html("span", { class: "card" }, words(kind)))));
    byId("log").replaceChildren(...game.events.slice().reverse().map((event) =>
      html("li", {}, Ettana.pin(facts, event.seat), `${event.seat === facts.seat ? "you" : facts.names[event.seat]} ${event.text}`)));
    showOdds();
    if (focused && !focusOn(focused) && game.yours) byId("actions").querySelector("button")?.focus();
    document.body.dataset.version = game.version;
    document.body.dataset.yours = game.yours;
    clearTimeout(timer);
    if (!game.yours && view.phase !== "over") timer = setTimeout(() => change("next", {}, true), Number(byId("pace").value));
  }

  function showOdds() {
    const odds = byId("odds");
    odds.hidden = game.chance === null || facts.judge === null;
    if (odds.hidden) return;
    const share = Math.round(100 * game.chance);
    const bar = html("div", { class: "bar", role: "meter", "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": share, "aria-label": "your chance to win" },
      Ettana.styled(document.createElement("i"), { width: `${share}%` }));
    odds.replaceChildren(html("p", {}, html("b", {}, `You win ${share}%`), " ", html("small", {}, `by ${facts.judge}`)), bar);
  }

  // Another tab may play on: look now and then.
  async function look() {
    try {
      if (!busy) {
        const answer = await ask(`/api/game?version=${game.version}`);
        if (!busy && answer.status === 200 && answer.body.version !== game.version) {
          game = answer.body; picked = null; hint = null;
          say("");
          show();
        }
      }
    } catch (problem) { /* said when something is asked for */ }
    setTimeout(look, 1500);
  }

  byId("undo").addEventListener("click", () => change("undo"));
  byId("hint").addEventListener("click", () => change("hint"));
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && picked !== null) cancel(); });
  Ettana.arrows(byId("board"));

  (async () => {
    facts = (await ask("/api/table")).body;
    game = (await ask("/api/game")).body;
    show();
    setTimeout(look, 1500);
  })().catch(() => { byId("turn").textContent = "The server does not answer."; });
})();
