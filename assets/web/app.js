// The web app: a client of World, and the state that its parts share.

import { confirm } from "./parts/dialog.js";
import { createToasts } from "./parts/toast.js";
import { setSprite } from "./parts/el.js";
import { languageOf, loadWords, withRegion } from "./words.js";
import { Acts, loadForms } from "./frame/acts.js";
import { prefetchPanels } from "./frame/prefetch.js";
import { hasArea, loadArea, loadFrame, prepareArea } from "./frame/areas.js";
import { draftsOf } from "./frame/drafts.js";
import { Frame } from "./frame/frame.js";
import { Keys } from "./frame/keys.js";
import { notFoundView, failedView } from "./frame/notfound.js";
import { openOwnMenu, openOwnSheet, renewPresence, self } from "./frame/own.js";
import { showPending } from "./frame/pending.js";
import { locate, routeOfPanel } from "./frame/routes.js";
import { textOf } from "./frame/problem.js";
import { askSignIn } from "./frame/signin.js";
import { Router } from "./frame/router.js";
import { Scope } from "./frame/scope.js";
import { stackOf } from "./frame/workspace.js";
import { MemberCache } from "./world/cache.js";
import { Client } from "./world/client.js";
import { Connection } from "./world/connection.js";
import { Dispatcher } from "./world/dispatch.js";
import { Follower } from "./world/follow.js";
import { Queue } from "./world/queue.js";
import { Reader } from "./world/reader.js";
import { Waiter } from "./world/signals.js";
import { Store } from "./world/store.js";
import { Version } from "./world/version.js";

const RIGHT_TO_LEFT = new Set(["ar", "fa", "he", "ur", "ps", "sd", "ug", "yi", "dv", "ckb"]);
const FRAME = 1000; // milliseconds to wait for a frame
const FORMS_AFTER = 2000; // milliseconds after the first screen, when forms are loaded
const OFFER = 20_000; // milliseconds for which a new version is offered
const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const LOCALE = "locale"; // the locale of the last member of this browser, so that words load at once

// App contains the connection to World and the frame. paths are those that the app has to know,
// as its page names them: base, that of base-url; assets; session and dataset; signIn and
// account, the sign-in page and the account page. All other paths come from the session and the
// dataset.
export class App {
	view = null; // the present view
	isFindWanted = false; // whether the field of Find gets the focus when it is shown
	drafts = null; // where forms store the drafts of the member, see frame/drafts.js
	#hasEnded = false;
	#isSigningIn = false;
	#styles = null; // promise of the styles of the frame
	#showing = 0; // number of the latest route to show

	constructor(paths) {
		this.paths = paths;
		const { base } = paths;
		const memberId = () => this.store.memberId;
		this.store = new Store({ onOtherMember: () => (this.#end(), location.reload()) });
		this.stored = new MemberCache({ base, memberId });
		this.connection = new Connection({ stored: this.stored });
		this.client = new Client({
			base, stored: this.stored, onContact: (reached) => this.connection.setContact(reached), onUnauthenticated: (error) => this.#signInAgain(error),
		});
		this.reader = new Reader({ client: this.client, store: this.store, paths, onProblem: (error) => this.#onProblem(error) });
		this.dispatcher = new Dispatcher({ client: this.client, store: this.store, reader: this.reader, isLive: () => this.follower?.isLive ?? false, signedIn: () => this.stored.signedIn, textOf: (error) => textOf(error, this.words) });
		this.queue = new Queue({ base, dispatcher: this.dispatcher, connection: this.connection, memberId, signedIn: () => this.stored.signedIn });
		this.version = new Version({ base, assets: paths.assets, onOld: () => this.#onOldVersion() });
		this.follower = null; // the stream, from the first dataset on
		this.acts = new Acts(this);
		setSprite(`${paths.assets}icons.svg`);
	}

	// open shows the stored dataset, if there is one, reads the session and the dataset,
	// shows the frame, and follows the changes. It waits for the server if it is not available;
	// the wait doubles with each attempt.
	async open() {
		const locale = withRegion(localStorage.getItem(LOCALE) ?? navigator.language, navigator.languages);
		const early = loadWords({ locale, areas: ["frame"] }); // most often the right ones
		early.catch(() => {});
		this.#styles = loadFrame();
		const isToday = location.pathname === `${this.paths.base}/app/`;
		if (isToday) prepareArea("today", languageOf(locale), this.paths.assets);
		const restored = this.reader.restore();
		this.stored.open();
		this.connection.start();
		if (await restored) {
			await (isToday ? this.client.readStored(this.store.session.shell?.today) : this.#restoreActions());
			if (this.#hasEnded) return undefined;
			await this.#start().catch(async (error) => {
				await this.stored.wipe(); // what an older version has stored may lack something
				throw error;
			});
			await painted();
			await this.reader.restoreRest();
			return this.reader.changed();
		}
		const waiter = new Waiter();
		this.connection.subscribe(({ state }) => state === "online" && waiter.wake());
		addEventListener("online", () => waiter.wake());
		for (let wait = 2000; !this.#hasEnded; wait = Math.min(wait * 2, 60_000)) {
			try {
				await this.reader.open();
				break;
			} catch (error) {
				if (error.code === "second_factor_enrollment_required") location.assign(this.paths.account); // it leads to the page on which to add one
				if (!error.retryable) throw error;
				this.words ??= await early;
				document.querySelector("#start")?.replaceChildren(textOf(error, this.words));
				await waiter.wait(Math.max(wait, error.retryAfter * 1000));
			}
		}
		if (!this.#hasEnded) await this.#start();
		return undefined;
	}

	// #restoreActions adds the actions to the restored dataset. Most views need them at once. If a
	// page ended before it had stored them, the server sends the dataset.
	async #restoreActions() {
		await this.reader.restoreRest();
		if (!this.store.hasActions) await this.reader.read("dataset").catch(() => {});
	}

	async #start() {
		const { locale, timezone } = this.store.dataset.member;
		localStorage.setItem(LOCALE, locale);
		this.words = await loadWords({ locale: withRegion(locale, navigator.languages), zone: timezone, weekStart: this.weekStart(), areas: ["frame"] });
		const language = this.words.locale.split("-")[0];
		document.documentElement.lang = this.words.language;
		document.documentElement.dataset.clock = this.words.hasDayPeriods ? "12" : "24";
		document.documentElement.dir = RIGHT_TO_LEFT.has(language) ? "rtl" : "ltr";
		this.drafts = draftsOf({ base: this.paths.base, memberId: this.store.memberId });
		this.toasts = createToasts({ words: this.words });
		this.frame = new Frame(this);
		await this.#styles;
		this.frame.open();
		this.keys = new Keys(this);
		this.router = new Router({ root: `${this.paths.base}/app`, show: (route, options) => this.show(options) });
		this.store.subscribe(["session"], () => this.#onSession());
		this.store.subscribe(["member", "objects", "actions", "workspace"], () => this.#showFound() || this.frame.refresh());
		this.#followMember();
		this.connection.subscribe(() => this.#onConnection());
		this.#onConnection();
		this.queue.start();
		showPending(this, this.queue);
		this.#follow();
		this.version.start();
		this.connection.subscribe(({ state }) => state === "online" && this.version.checkAgain());
		await this.show({ keepFocus: true });
		setTimeout(() => this.#prepare(), FORMS_AFTER);
	}

	// #prepare loads the modules that the first screen does not need.
	#prepare() {
		if (this.#hasEnded) return;
		renewPresence(this);
		loadForms().catch(() => {});
		this.version.register(this.store.memberId);
		prefetchPanels(this);
	}

	// weekStart is the first day of the member's week, 1 for Monday to 7.
	weekStart() {
		return WEEKDAYS.indexOf(this.store.dataset.member.week_start) + 1 || 1;
	}

	// show shows the route of the present address.
	async show({ isBack = false, keepFocus = false } = {}) {
		const showing = ++this.#showing;
		const { route } = this.router;
		let located = locate(route, this.store);
		if (located && this.view && this.view.area === located.area && this.view.update?.(route, located)) {
			this.view.located = located;
			return this.frame.isLoading ? this.frame.show(this.view, { keepFocus }) : this.frame.refresh();
		}
		const timer = setTimeout(() => showing === this.#showing && this.frame.showLoading(), 200);
		if (!located && !this.reader.isConfirmed) { // the stored data may lack what is new
			await this.reader.open().catch(() => {});
			located = locate(route, this.store);
		}
		const view = await this.#load(route, located);
		clearTimeout(timer);
		if (showing !== this.#showing) return view.close?.();
		this.view?.close?.();
		this.view = view;
		this.frame.show(view, { keepFocus });
		if (isBack) this.router.restoreScroll();
		else scrollTo(0, 0);
		if (located && !view.isTemporary) this.#focusSurface(located);
	}

	// #load returns the view of a route; one that cannot be shown has a view that says so.
	async #load(route, located) {
		if (!located) return notFoundView(this, route);
		const { assets } = this.paths;
		try {
			const name = hasArea(located.area) ? located.area : "generic";
			const area = await loadArea(name, this.words, assets);
			const view = area.open(this, route, located) ?? (await loadArea("generic", this.words, assets)).open(this, route, located);
			view.located = located;
			view.area = located.area;
			return view;
		} catch (error) {
			if (await this.version.check()) location.reload(); // the server has no files of older versions
			else reportError(error);
			return failedView(this, error);
		}
	}

	// go shows a route: a route, or its address below the app. If there is a new version of the
	// app, it loads the page.
	go(route, options) {
		if (this.version.isOld) return location.assign(this.href(route));
		this.router.go(route, options);
		return undefined;
	}

	// href returns the path of a route.
	href(route) {
		return this.router.href(route);
	}

	scope() {
		return new Scope(this);
	}

	self() {
		return self(this.store);
	}

	// say announces a text to screen readers.
	say(text, options) {
		this.frame.say(text, options);
	}

	openOwnMenu(anchor) {
		openOwnMenu(this, anchor);
	}

	openOwnSheet() {
		openOwnSheet(this);
	}

	// openFind shows Find with the focus in its field, whatever it shows at first.
	openFind() {
		this.isFindWanted = true;
		if (this.view?.area === "around") this.view.focus();
		else this.go({ kind: "find" });
	}

	// activityRoute is the route of the notifications, a view of the panel of Social.
	activityRoute() {
		const url = this.store.service("social")?.content_source;
		const route = url && routeOfPanel(this.store.session, url);
		return route ? { ...route, query: { view: "notifications" } } : { kind: "today" };
	}

	// signOut ends the session. It asks before, if writes have not been sent: they are removed.
	// Options: those of Acts.act.
	async signOut(action, options) {
		const { words, queue } = this;
		const unsent = queue.list.length;
		if (unsent > 0 && !(await confirm({ words, title: words.frame.notSentCount(unsent), text: words.frame.signOutRemoves(), act: action.label, bad: true }))) return;
		if ((await this.acts.act(action, options)) === null) return;
		await this.queue.clear().catch(() => {}); // a browser without a database has no queue
		this.drafts.clear();
		sessionStorage.clear();
		this.leave();
	}

	// reload loads the page again with nothing that the browser has stored, such as after a change of
	// the language of the member: all texts and times depend on it.
	async reload() {
		await this.stored.wipe();
		location.reload();
	}

	// leave ends the connection and opens the sign-in page, which leads back.
	async leave() {
		if (this.#hasEnded) return;
		await this.#end();
		const { base, signIn } = this.paths;
		location.assign(`${signIn}?return_to=${encodeURIComponent(location.pathname.slice(base.length) + location.search)}`);
	}

	// #end ends everything that the page does, and removes what the page shows and the browser
	// has stored of the member, except writes that have not been sent.
	#end() {
		this.#hasEnded = true;
		document.body.replaceChildren();
		this.reader.stop();
		this.follower?.stop();
		this.queue.stop();
		this.client.forget();
		return this.stored.wipe();
	}

	// #signInAgain asks the member to sign in over the screen, and then reads everything again.
	// Before the server has confirmed that the screen is that of the member, the sign-in page is
	// shown.
	async #signInAgain(error) {
		if (this.words) Object.assign(error, { message: this.words.frame.signedOutMeanwhile(), requestId: "" }); // a form shows it after the sign-in
		if (this.#hasEnded || this.#isSigningIn) return;
		if (!this.frame || !this.reader.isConfirmed) return this.leave();
		this.#isSigningIn = true;
		this.follower.stop();
		this.client.forget();
		this.stored.wipe();
		const elsewhere = this.#signInElsewhere();
		const isSignedIn = await askSignIn(this, elsewhere.signal).catch(() => false); // without its module, the sign-in page asks
		elsewhere.abort();
		this.#isSigningIn = false;
		if (!isSignedIn) return this.leave();
		this.follower.start();
		this.reader.changed();
		this.queue.flush();
		return undefined;
	}

	// #signInElsewhere returns an AbortController that aborts when the page is shown again and the
	// member has signed in meanwhile, in another tab.
	#signInElsewhere() {
		const elsewhere = new AbortController();
		const { signal } = elsewhere;
		const look = () => document.hidden || this.client.request("GET", this.paths.session, { signal }).then(() => elsewhere.abort(), () => {});
		addEventListener("visibilitychange", look, { signal });
		addEventListener("focus", look, { signal });
		return elsewhere;
	}

	// #showFound shows the route if its content exists by now and did not before, such as a new
	// event of which the member has the link. It returns whether it does.
	#showFound() {
		const isFound = Boolean(this.view?.isMissing && locate(this.router.route, this.store));
		if (isFound) this.show({ keepFocus: true });
		return isFound;
	}

	#onSession() {
		if (this.view?.isMissing) return this.#showFound() || this.frame.refresh();
		const located = locate(this.router.route, this.store);
		if (!located && this.view?.located) return this.show({ keepFocus: true });
		if (located && this.view) this.view.located = located;
		this.frame.refresh();
		return undefined;
	}

	// #focusSurface tells World which surface of a stack is in the centre.
	#focusSurface({ surface }) {
		const stack = surface && stackOf(this.store, surface.placement?.metadata?.stack_id);
		const isIn = stack?.surface_order?.includes(surface.surface_id); // a finding that has been read stays outside
		if (!isIn || !stack.commands?.focus_surface || stack.focused_surface_id === surface.surface_id) return;
		this.dispatcher.post(stack.commands.focus_surface, { surface_id: surface.surface_id }).catch(() => {}); // the next visit corrects it
	}

	// #onOldVersion offers the new version of the app. While the page is hidden and shows nothing
	// that would be lost, it is loaded again by itself.
	#onOldVersion() {
		const { words } = this;
		this.toasts.show(words.frame.newVersion(), { duration: OFFER, action: { label: words.frame.reload(), run: () => location.reload() } });
		document.addEventListener("visibilitychange", () => document.hidden && !hasInput() && location.reload());
	}

	#onProblem(error) {
		if (error.code === "second_factor_enrollment_required") location.assign(this.paths.account);
	}

	// #followMember loads the page again when the language, the time zone or the week of the member
	// has changed, such as on another device. If something would be lost, it offers that.
	#followMember() {
		const read = () => { const { locale, timezone, week_start: week } = this.store.dataset.member; return [locale, timezone, week].join(" "); };
		const shown = read();
		this.store.subscribe(["member"], () => {
			if (read() === shown) return;
			if (!hasInput()) this.reload();
			else this.toasts.show(this.words.frame.memberChanged(), { duration: OFFER, action: { label: this.words.frame.reload(), run: () => this.reload() } });
		});
	}

	// #onConnection shows a notice while the server does not respond.
	#onConnection() {
		const { state, lastContact } = this.connection;
		const { words } = this;
		const text = words.frame[state === "offline" ? "offlineSince" : "unreachableSince"](lastContact && words.when(lastContact));
		this.frame.note("network", state === "online" ? null : { kind: "offline", text });
	}

	#follow() {
		const { client, store, reader } = this;
		const name = `changes ${this.paths.base} ${store.memberId}`;
		this.follower = new Follower({ client, name, url: store.streamURL, onEvent: (event) => reader.changed(event), onLive: (isLive) => isLive && this.version.checkAgain() });
		this.follower.start();
		addEventListener("visibilitychange", () => (document.hidden ? this.stored.flush() : this.dispatcher.expectMember()));
		addEventListener("pagehide", () => this.follower.stop()); // browsers do not keep a page with a stream for the way back
		addEventListener("pageshow", ({ persisted }) => {
			if (!persisted) return;
			if (this.#hasEnded) location.reload();
			this.follower.start();
			reader.changed();
		});
	}
}

// painted returns a promise that is resolved after the next frame. A page in the background has none:
// it waits for FRAME.
function painted() {
	return new Promise((done) => {
		requestAnimationFrame(() => setTimeout(done));
		setTimeout(done, FRAME);
	});
}

// hasInput reports whether the page has a dialog, or a field with a text of the member.
function hasInput() {
	return document.querySelector("dialog[open]") !== null || [...document.querySelectorAll("input:not([type=radio], [type=checkbox]), textarea")].some(({ value }) => value !== "");
}
