// Writes that have not been sent: a notice above all views, and the list of them.

import { button, el } from "../parts/el.js";
import { openDialog } from "../parts/dialog.js";
import { keepFocus } from "./focus.js";
import { reasonOf } from "./problem.js";

// showPending shows a notice while writes wait or need an answer of the member, and keeps it
// current. queue is the Queue.
export function showPending(app, queue) {
	const show = () => app.frame.note("pending", noticeOf(app, queue));
	queue.subscribe(show);
	app.connection.subscribe(show);
	show();
}

function noticeOf(app, queue) {
	const { words } = app;
	const asks = queue.list.filter(({ state }) => state === "asks" || state === "failed");
	const waits = queue.list.filter(({ state }) => state === "waiting");
	if (asks.length === 0 && (waits.length === 0 || app.connection.state === "online")) return null;
	const text = asks.length > 0 ? words.frame.notSentCount(asks.length) : words.frame.waitingCount(waits.length);
	return { kind: asks.length > 0 ? "warn" : "info", text, actions: [{ label: words.frame.showPending(), run: () => openPending(app, queue) }] };
}

// openPending shows the writes that have not been sent, each with its actions.
function openPending(app, queue) {
	const { words } = app;
	const list = el("ul", { class: "rows flat" });
	const show = () => {
		keepFocus(list, () => list.replaceChildren(...queue.list.map((entry) => el("li", {}, pendingRow(app, queue, entry)))));
		if (queue.list.length === 0) dialog?.close();
	};
	const end = queue.subscribe(show);
	let dialog = null;
	show();
	dialog = openDialog({ words, title: words.frame.pendingTitle(), body: [list], onClose: end });
}

function pendingRow(app, queue, { id, label, action, time, state, error }) {
	const { words } = app;
	const text = { waiting: words.frame.pendingWaits(), sending: words.frame.pendingSends() }[state] ?? reasonOf(error, words);
	return el("div", { class: "row" },
		el("span", { class: "row-main" }, el("span", { class: "row-title" }, el("span", { class: "clip", dir: "auto", text: label || action.label || "" }), el("time", { text: words.when(time) })), el("span", { class: "row-sub", dir: "auto", text })),
		el("span", { class: "row-acts" },
			state !== "sending" && button({ label: words.frame.sendAgain(), kind: "s", run: () => queue.retry(id) }),
			state !== "sending" && button({ label: words.remove(), icon: "trash", only: true, kind: "plain s", run: () => queue.drop(id) })));
}
