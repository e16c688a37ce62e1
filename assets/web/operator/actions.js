// Actions that several pages of the operator offer: to invite or add a member, and to start a backup.

import { dayIn } from "../parts/day.js";
import { button } from "../parts/el.js";
import { openSecret } from "../parts/secret.js";

const POLL_INTERVAL = 30_000; // milliseconds between two reads of a panel
const BACKUP_POLL_INTERVAL = 1000; // milliseconds between two reads while a backup is running

// keepCurrent reads the panel of a Block again at intervals until the scope ends, more often while a backup is
// running. The stream does not report changes of the panel of operators.
export function keepCurrent(scope, block) {
	scope.every(POLL_INTERVAL, () => block.reload());
	scope.every(BACKUP_POLL_INTERVAL, () => block.panel?.backup_job?.state === "running" && block.reload());
}

// actionOf returns the action of the dataset with a type, or undefined if it is not permitted.
function actionOf(app, type) {
	return app.store.actionsOn("workspace").find((action) => action.type === type);
}

// inviteOptions returns the options { label, icon, run } of a button that creates an invitation, or null if
// that is not permitted, because the registration is closed. In this and the following functions, block is the
// Block whose panel is read again afterwards.
export function inviteOptions(app, block) {
	const action = actionOf(app, "admin.invitation.create");
	return action ? { label: app.words.operator.invite(), icon: "invite", run: () => invite(app, block, action) } : null;
}

// inviteButton returns the primary button that creates an invitation, or null.
export function inviteButton(app, block) {
	const options = inviteOptions(app, block);
	return options && button({ ...options, kind: "primary", "aria-haspopup": "dialog" });
}

// addMemberButton returns the button that adds a member with a password, or null. kind adds CSS classes.
export function addMemberButton(app, block, kind = "") {
	const action = actionOf(app, "admin.member.add");
	const run = () => block.openForm(action, {
		title: action.label, submit: action.label, hints: { password: app.words.operator.passwordHint() }, doneText: app.words.operator.added(),
	});
	return action ? button({ label: action.label, icon: "plus", kind, "aria-haspopup": "dialog", run }) : null;
}

// backUpButton returns the button that starts a backup, or null. kind adds CSS classes. others are further
// Blocks whose panels are read again afterwards.
export function backUpButton(app, block, kind, ...others) {
	const action = actionOf(app, "admin.backup.create");
	return action ? button({
		label: action.label, icon: "backup", kind, run: () => backUp(app, [block, ...others], action),
	}) : null;
}

// invite creates an invitation with a form, and shows its link.
export async function invite(app, block, action) {
	const { words } = app;
	const text = words.operator;
	const data = await block.openForm(action, { title: action.label, submit: text.createLink(), hints: { email: text.inviteHint() } });
	if (!data?.link) return;
	await showLink(app, data, {
		title: text.invitation(),
		text: text.inviteText(words.dayShort(dayIn(words.zone, new Date(data.expires_at))), data.invitation?.email ?? ""),
	});
}

// showLink shows a link that works once, in a dialog. data is the data of the response that created it: link; qr,
// its QR code, which may be missing; and notice, why it does not work on other devices, or "". No
// later response contains the link.
export function showLink(app, data, { title, text }) {
	const { words } = app;
	return openSecret({
		words, title, text, entries: [{ label: words.settings.link(), value: data.link }],
		note: data.notice || undefined, code: data.qr,
	});
}

// backUp starts a backup. Its toast has a button that opens the page of the backups, with the progress. Another toast
// replaces it when the backup has ended.
export async function backUp(app, blocks, action) {
	const { words } = app;
	const data = await app.actions.perform(action);
	if (data === null) return;
	app.toasts.show(words.operator.backupBegun(), {
		action: { label: words.frame.open(), run: () => app.go({ kind: "operator", id: "backups" }) },
	});
	await Promise.all(blocks.map((block) => block.reload()));
	reportEnd(app, blocks[0]);
}

// reportEnd shows a toast when the backup that a Block shows as running has ended.
function reportEnd(app, block) {
	const text = app.words.operator;
	const scope = app.scope();
	block.scope.add(() => scope.end());
	scope.every(BACKUP_POLL_INTERVAL, () => {
		const { state } = block.panel?.backup_job ?? {};
		if (state === "running") return;
		scope.end();
		if (state) app.toasts.show(state === "failed" ? text.backupFailed() : text.backupDone());
	});
}
