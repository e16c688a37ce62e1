// Reports the time zone of the browser to World. The first one becomes the time zone of the member; a later one
// that differs is offered to the member.

// STORED_KEY is the key of sessionStorage that is set while the notice about the stored time zone is shown.
const STORED_KEY = "appliance time zone stored";

const REPORT_TIMEOUT = 5000; // milliseconds that the first report may delay the first screen

// report sends the time zone of the browser and returns the reply. fields are further fields of the request.
async function report(app, fields = {}) {
	const body = JSON.stringify({ timezone: browserZone(), ...fields });
	const headers = { "Content-Type": "application/json" };
	const { url } = app.store.actionOn("member", "member.timezone.report").command;
	return (await app.client.request("POST", url, { body, headers, time: REPORT_TIMEOUT })).data;
}

// storeFirstZone reports the time zone of the browser if the member has none. It returns whether the member has got
// a time zone other than that of the server, so that all data must be read again. A failed report is repeated at
// the next start.
export async function storeFirstZone(app) {
	const { timezone, timezone_source: source } = app.store.dataset.member;
	if (source !== "server" || !browserZone() || !(await canReport(app))) return false;
	try {
		const reply = await report(app);
		const hasChanged = reply.timezone !== timezone;
		if (reply.stored && hasChanged) sessionStorage.setItem(STORED_KEY, "yes");
		return hasChanged;
	} catch {
		return false;
	}
}

// noteZone shows a notice after storeFirstZone has stored a time zone, or a question if the time zone of the browser
// differs from that of the member.
export async function noteZone(app) {
	const { timezone, timezone_source: source } = app.store.dataset.member;
	if (sessionStorage.getItem(STORED_KEY)) noteStored(app, timezone);
	else if (source === "member" && browserZone() && !isSameZone(browserZone(), timezone)) {
		if (!(await canReport(app))) return;
		const reply = await report(app).catch(() => null); // the next start tries again
		if (reply?.ask) ask(app, reply.timezone);
	}
}

// noteStored names the time zone that was stored, with buttons that change it and that hide the notice.
function noteStored(app, timezone) {
	const { words } = app;
	const hide = () => {
		sessionStorage.removeItem(STORED_KEY);
		app.frame.note("zone", null);
	};
	const change = () => {
		hide();
		app.go({ kind: "settings", id: "appearance" });
	};
	app.frame.note("zone", {
		text: words.frame.zoneStored(labelOf(timezone)),
		actions: [
			app.store.service("settings") && { label: words.frame.changeZone(), run: change },
			{ label: words.frame.zoneIsRight(), run: hide },
		].filter(Boolean),
	});
}

// ask asks whether to replace the time zone of the member by that of the browser. If the member declines, World does
// not offer this time zone again.
function ask(app, timezone) {
	const { words } = app;
	const zone = browserZone();
	const answer = (send) => async () => {
		app.frame.note("zone", null);
		try {
			await send();
		} catch (error) {
			app.say(words.frame.failed());
			throw error;
		}
	};
	app.frame.note("zone", {
		text: words.frame.otherZone(labelOf(zone), labelOf(timezone)),
		actions: [
			{ label: words.frame.useZone(labelOf(zone)), run: answer(async () => {
				const { method, url } = app.store.actionOn("member", "member.profile.update").command;
				await app.client.write(method, url, { body: { timezone: zone } });
				await app.reload();
			}) },
			{ label: words.frame.keepZone(labelOf(timezone)), run: answer(() => report(app, { decline: true })) },
		],
	});
}

// canReport reports whether World accepts the time zone of the browser. It loads the actions if they are missing.
async function canReport(app) {
	await app.restoreActions();
	return Boolean(app.store.actionOn("member", "member.timezone.report"));
}

// browserZone returns the IANA name of the time zone of the browser, or undefined if the browser does not know it.
function browserZone() {
	return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

// isSameZone reports whether two names denote the same time zone, such as Asia/Calcutta and Asia/Kolkata. If the
// browser does not know one of them, they differ.
function isSameZone(a, b) {
	const canonical = (name) => new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
	try {
		return canonical(a) === canonical(b);
	} catch {
		return false;
	}
}

function labelOf(zone) {
	return zone.replaceAll("_", " ");
}
