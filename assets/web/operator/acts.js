// Actions of operators that several pages offer.

import { button } from "../parts/el.js";
import { openSecret } from "../parts/secret.js";

const POLL = 30_000; // milliseconds: no event names the panel of operators
const POLL_JOB = 1000; // while a backup is being made

// keepCurrent reads a block again at intervals, more often while a backup is being made.
export function keepCurrent(scope, block) {
	scope.every(POLL, () => block.reload());
	scope.every(POLL_JOB, () => block.panel?.backup_job?.state === "running" && block.reload());
}

function actionOf(app, type) {
	return app.store.actionsOn("workspace").find((action) => action.type === type);
}

// inviteStep returns what creates an invitation, as { label, icon, run }, or null.
export function inviteStep(app, block) {
	const action = actionOf(app, "admin.invitation.create");
	return action ? { label: app.words.operator.invite(), icon: "invite", run: () => invite(app, block, action) } : null;
}

// inviteButton returns the button that creates an invitation, or null.
export function inviteButton(app, block) {
	const step = inviteStep(app, block);
	return step && button({ ...step, kind: "primary", "aria-haspopup": "dialog" });
}

// addButton returns the button that adds a member, or null.
export function addButton(app, block, kind = "") {
	const action = actionOf(app, "admin.member.add");
	const run = () => block.form(action, { title: action.label, submit: action.label, hints: { password: app.words.operator.passwordHint() }, done: app.words.operator.added() });
	return action ? button({ label: action.label, icon: "plus", kind, "aria-haspopup": "dialog", run }) : null;
}

// backUpButton returns the button that makes a backup, or null while one is being made.
export function backUpButton(app, block, kind, ...others) {
	const action = actionOf(app, "admin.backup.create");
	return action ? button({ label: action.label, icon: "backup", kind, run: () => backUp(app, [block, ...others], action) }) : null;
}

// invite asks for the address of a new member and shows the link, which exists once.
export async function invite(app, block, action) {
	const { words } = app;
	const text = words.operator;
	const data = await block.form(action, { title: action.label, submit: text.createLink(), hints: { email: text.inviteHint() } });
	if (!data?.link) return;
	await showLink(app, data, { title: text.invitation(), text: text.inviteText(words.dayShort(data.expires_at.slice(0, 10)), data.invitation?.email ?? "") });
}

// showLink shows a link that works once.
export function showLink(app, data, { title, text }) {
	const { words } = app;
	return openSecret({ words, title, text, entries: [{ label: words.settings.link(), value: data.link }], note: data.only_local ? words.settings.onlyLocal() : undefined, code: data.qr });
}

// backUp begins a backup. Its progress is on the page of the backups.
export async function backUp(app, blocks, action) {
	const { words } = app;
	const data = await app.acts.act(action);
	if (data === null) return;
	app.toasts.show(words.operator.backupBegun(), { action: { label: words.frame.open(), run: () => app.go({ kind: "operator", id: "backups" }) } });
	await Promise.all(blocks.map((block) => block.reload()));
}
