// Shows the writes that have not been sent: a notice above all views, and a dialog with their list.

import { button, el } from "../parts/el.js";
import { openDialog } from "../parts/dialog.js";
import { keepFocus } from "./focus.js";
import { reasonOf } from "./problem.js";

// showPending shows a notice with the number of unsent writes in queue, a Queue, and updates it after
// changes of the queue and of the connection. The notice is visible while a write has failed or needs
// a confirmation of the member, and while the app is offline and writes wait for the connection.
export function showPending(app, queue) {
	const show = () => app.frame.note("pending", noticeOf(app, queue));
	queue.subscribe(show);
	app.connection.subscribe(show);
	show();
}

// noticeOf returns the options of the notice, or null.
function noticeOf(app, queue) {
	const { words } = app;
	const problems = queue.list.filter(({ state }) => state === "asks" || state === "failed");
	const waitingEntries = queue.list.filter(({ state }) => state === "waiting");
	if (problems.length === 0 && (waitingEntries.length === 0 || app.connection.state === "online")) return null;
	const text = problems.length > 0 ? words.frame.notSentCount(problems.length) : words.frame.waitingCount(waitingEntries.length);
	return {
		kind: problems.length > 0 ? "warn" : "info", text,
		actions: [{ label: words.frame.showPending(), run: () => openPending(app, queue) }],
	};
}

// openPending opens the dialog with the list of the writes. It closes when the list is empty.
function openPending(app, queue) {
	const { words } = app;
	const list = el("ul", { class: "rows flat" });
	const show = () => {
		keepFocus(list, () => list.replaceChildren(...queue.list.map((entry) => el("li", {}, pendingRow(app, queue, entry)))));
		if (queue.list.length === 0) dialog?.close();
	};
	const unsubscribe = queue.subscribe(show);
	let dialog = null;
	show();
	dialog = openDialog({ words, title: words.frame.pendingTitle(), body: [list], onClose: unsubscribe });
}

// pendingRow returns the row of an entry of the queue, with the buttons that send or remove it unless it
// is being sent.
function pendingRow(app, queue, { id, label, action, time, state, error }) {
	const { words } = app;
	const text = { waiting: words.frame.pendingWaits(), sending: words.frame.pendingSends() }[state] ?? reasonOf(error, words);
	return el("div", { class: "row" },
		el("span", { class: "row-main" },
			el("span", { class: "row-title" },
				el("span", { class: "clip", dir: "auto", text: label || action.label || "" }), el("time", { text: words.when(time) })),
			el("span", { class: "row-sub", dir: "auto", text })),
		el("span", { class: "row-acts" },
			state !== "sending" && button({ label: words.frame.sendAgain(), kind: "s", run: () => queue.retry(id) }),
			state !== "sending" && button({ label: words.remove(), icon: "trash", iconOnly: true, kind: "plain s", run: () => queue.drop(id) })));
}
