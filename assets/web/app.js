// The web app of a signed-in member: starts the app, keeps its components, and switches between its views.

import { confirm } from "./parts/dialog.js";
import { notice } from "./parts/notice.js";
import { createToasts } from "./parts/toast.js";
import { setSprite } from "./parts/el.js";
import { languageOf, loadWords, localeOf, servedCatalogs } from "./words.js";
import { Actions, loadForms } from "./frame/actions.js";
import { prefetchPanels } from "./frame/prefetch.js";
import { hasArea, loadArea, loadFrame, prepareArea } from "./frame/areas.js";
import { draftsOf } from "./frame/drafts.js";
import { Frame } from "./frame/frame.js";
import { interceptionNotice } from "./frame/interception.js";
import { Keys } from "./frame/keys.js";
import { noteZone, storeFirstZone } from "./frame/browserzone.js";
import { followDay } from "./frame/daychange.js";
import { notFoundView, failedView } from "./frame/notfound.js";
import { openMemberSheet, memberMenuItems, renewPresence, signedInMember } from "./frame/membermenu.js";
import { showPending } from "./frame/pending.js";
import { matchRoute, movedRoute, routeOfPanel } from "./frame/routes.js";
import { problem, textOf } from "./frame/problem.js";
import { Router } from "./frame/router.js";
import { Scope } from "./frame/scope.js";
import { stackOf } from "./frame/workspace.js";
import { MemberCache } from "./world/cache.js";
import { Client } from "./world/client.js";
import { Connection } from "./world/connection.js";
import { Dispatcher } from "./world/dispatch.js";
import { RequestError } from "./world/errors.js";
import { Follower } from "./world/follow.js";
import { Queue } from "./world/queue.js";
import { Reader } from "./world/reader.js";
import { Waiter } from "./world/signals.js";
import { Store } from "./world/store.js";
import { Version } from "./world/version.js";

// RIGHT_TO_LEFT are the languages that are written from right to left.
const RIGHT_TO_LEFT = new Set(["ar", "fa", "he", "ur", "ps", "sd", "ug", "yi", "dv", "ckb"]);

const FRAME_TIMEOUT = 1000; // maximum wait of nextPaint, in milliseconds
const PREPARE_DELAY = 2000; // milliseconds between the first screen and the call of #prepare
const RELOAD_TOAST_DURATION = 20_000; // milliseconds for which a toast offers to load the page again

// WEEKDAYS are the values of week_start, from Monday to Sunday.
const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

// LOCALE_KEY is the key in localStorage of the locale of the member who last used the app in this browser.
// App.open loads the texts for this locale before the member is known.
const LOCALE_KEY = "locale";

// App contains the state and the components that all views share. Views get it as the parameter app. #start
// sets words, drafts, toasts, frame, keys and router.
export class App {
	view = null; // the view that the frame shows, see Frame
	isFindWanted = false; // whether the view of Find must focus its input, see openFind
	drafts = null; // where forms store the drafts of the member, see frame/drafts.js
	#hasEnded = false; // whether #end was called
	#isSigningIn = false; // whether the dialog of the sign-in is open
	#styles = null; // promise of the style sheets of the frame
	#showCalls = 0; // number of calls of show: only the latest one shows its view

	// paths contains the paths that are not in the session or the dataset: base, the path of base-url; assets,
	// the path of the files of this version; session, dataset and login, the paths of requests, relative to
	// base; signIn and account, the paths of the sign-in page and the account page; and languages, the languages
	// with a catalog, separated by spaces.
	constructor(paths) {
		this.paths = paths;
		this.catalogs = servedCatalogs(paths.assets, paths.languages.split(" "));
		const { base } = paths;
		const memberId = () => this.store.memberId;
		this.store = new Store({ onOtherMember: () => (this.#end(), location.reload()) });
		this.memberCache = new MemberCache({ base, memberId });
		this.connection = new Connection({ memberCache: this.memberCache });
		this.client = new Client({
			base, memberCache: this.memberCache, onContact: (reached, code) => this.connection.setContact(reached, code),
			onUnauthenticated: (error) => this.#signInAgain(error),
		});
		this.reader = new Reader({ client: this.client, store: this.store, paths, onProblem: (error) => this.#onProblem(error) });
		this.dispatcher = new Dispatcher({
			client: this.client, store: this.store, reader: this.reader, isLive: () => this.follower?.isLive ?? false,
			signedIn: () => this.memberCache.signedIn, textOf: (error) => textOf(error, this.words),
		});
		this.queue = new Queue({
			base, dispatcher: this.dispatcher, connection: this.connection, memberId, signedIn: () => this.memberCache.signedIn,
			memberName: () => this.store.dataset?.member?.display_name ?? "",
		});
		this.version = new Version({ base, assets: paths.assets, onOld: () => this.#onOldVersion() });
		this.follower = null; // created by #follow
		this.actions = new Actions(this);
		setSprite(`${paths.assets}icons.svg`);
	}

	// open starts the app. If the browser has stored the session and the dataset of the last visit, open
	// shows them, and then reads the changes in the background. Otherwise it reads both from the server.
	// While the server is not available, it tries again: after a wait that doubles with each attempt, up to
	// a minute, and at once when the connection is restored. It returns a promise that is resolved when a
	// view is shown and all stored data is restored, or an error is shown that is not temporary.
	async open() {
		const { languages } = this.catalogs;
		const locale = localeOf({ locale: localStorage.getItem(LOCALE_KEY) ?? navigator.language }, languages, navigator.languages);
		const earlyWords = loadWords({ catalogs: this.catalogs, locale, areas: ["frame"] }); // the locale of the member is usually the same
		earlyWords.catch(() => {});
		this.#styles = loadFrame();
		const isToday = location.pathname === `${this.paths.base}/app/`;
		if (isToday) prepareArea("today", (area) => this.catalogs.read(languageOf(locale, languages), area), this.paths.assets);
		const restoration = this.reader.restore();
		this.memberCache.open();
		this.connection.start();
		if (await restoration) {
			await (isToday ? this.client.readStored(this.store.session.shell?.today) : this.restoreActions());
			if (this.#hasEnded) return undefined;
			await this.#start().catch(async (error) => {
				await this.memberCache.wipe(); // responses that an older version has stored may lack fields
				throw error;
			});
			await nextPaint();
			await this.reader.restoreRest();
			return this.reader.refreshParts();
		}
		const waiter = new Waiter();
		this.connection.subscribe(({ state }) => state === "online" && waiter.wake());
		addEventListener("online", () => waiter.wake());
		for (let wait = 2000; !this.#hasEnded; wait = Math.min(wait * 2, 60_000)) {
			try {
				await this.reader.open();
				break;
			} catch (error) {
				if (error.code === "second_factor_enrollment_required") location.assign(this.paths.account);
				if (!(error instanceof RequestError)) throw error;
				if (error.status === 401) return undefined; // #signInAgain opens the sign-in page
				this.words ??= await earlyWords;
				await this.#styles;
				document.querySelector("#start")?.replaceChildren(startProblem(error, this.words, () => waiter.wake()));
				if (!error.retryable) return undefined;
				await waiter.wait(Math.max(wait, error.retryAfter * 1000));
			}
		}
		if (!this.#hasEnded) await this.#start();
		return undefined;
	}

	// restoreActions adds the actions to the restored dataset, because most views need them at once. If
	// the browser has not stored them, for example because the last page was closed too early, it reads the
	// dataset from the server.
	async restoreActions() {
		await this.reader.restoreRest();
		if (!this.store.hasActions) await this.reader.read("dataset").catch(() => {});
	}

	// #start loads the texts in the locale of the member, shows the frame and the view of the present route,
	// and starts the other components. It requires the session and the dataset in the store.
	async #start() {
		if (await storeFirstZone(this)) {
			await this.reload();
			return;
		}
		const { member } = this.store.dataset;
		const locale = localeOf(member, this.catalogs.languages, navigator.languages);
		localStorage.setItem(LOCALE_KEY, locale);
		this.words = await loadWords({
			catalogs: this.catalogs, locale, zone: member.timezone, weekStart: this.weekStart(), areas: ["frame"],
		});
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
		this.store.subscribe(["member", "objects", "actions", "workspace"], () => this.#showIfFound() || this.frame.refresh());
		this.#followMember();
		this.connection.subscribe(() => this.#onConnection());
		this.#onConnection();
		noteZone(this);
		this.queue.start();
		showPending(this, this.queue);
		this.#follow();
		followDay(this, this.scope());
		this.version.start();
		this.connection.subscribe(({ state }) => state === "online" && this.version.checkAgain());
		await this.show({ keepFocus: true });
		setTimeout(() => this.#prepare(), PREPARE_DELAY);
	}

	// #prepare starts the tasks that would delay the first screen.
	#prepare() {
		if (this.#hasEnded) return;
		renewPresence(this);
		loadForms().catch(() => {});
		this.version.register(this.store.memberId);
		prefetchPanels(this);
	}

	// weekStart returns the first day of the week of the member, from 1 (Monday) to 7.
	weekStart() {
		return WEEKDAYS.indexOf(this.store.dataset.member.week_start) + 1 || 1;
	}

	// show shows the route of the present address: in the present view if it supports that, see update in
	// Frame, or else in a new view. isBack is whether the history has caused the change of the address, so
	// that the scroll positions are restored. keepFocus has the meaning that it has in Frame.show.
	async show({ isBack = false, keepFocus = false } = {}) {
		const call = ++this.#showCalls;
		const { route } = this.router;
		let match = matchRoute(route, this.store);
		const moved = movedRoute(route, match, this.store);
		if (moved) return this.router.go(moved, { replace: true });
		if (match && this.view && this.view.area === match.area && this.view.update?.(route, match)) {
			this.view.match = match;
			return this.frame.isLoading ? this.frame.show(this.view, { keepFocus }) : this.frame.refresh();
		}
		const timer = setTimeout(() => call === this.#showCalls && this.frame.showLoading(), 200);
		if (!match && !this.reader.isConfirmed) { // the content of the route may be newer than the restored data
			await this.reader.open().catch(() => {});
			match = matchRoute(route, this.store);
		}
		const view = await this.#load(route, match);
		clearTimeout(timer);
		if (call !== this.#showCalls) return view.close?.();
		this.view?.close?.();
		this.view = view;
		this.frame.show(view, { keepFocus });
		if (isBack) this.router.restoreScroll();
		else scrollTo(0, 0);
		if (match && !view.isTemporary) this.#focusSurface(match);
	}

	// #load returns a promise of the view of a route: the view of the area, the generic view if the area has
	// none for the route, or a view with an explanation if the content does not exist or cannot be loaded.
	// match is the result of matchRoute.
	async #load(route, match) {
		if (!match) return notFoundView(this, route);
		const { assets } = this.paths;
		try {
			const name = hasArea(match.area) ? match.area : "generic";
			const area = await loadArea(name, this.words, assets);
			const view = area.open(this, route, match) ?? (await loadArea("generic", this.words, assets)).open(this, route, match);
			view.match = match;
			view.area = match.area;
			return view;
		} catch (error) {
			if (await this.version.check()) location.reload(); // the server does not have the files of older versions
			else reportError(error);
			return failedView(this, error);
		}
	}

	// go shows a route, or an address below the app such as "/in/time". Options: those of Router.go. If the
	// server has a newer version of the app, go loads the page of the route, and with it that version.
	go(route, options) {
		if (this.version.isOld) return location.assign(this.href(route));
		this.router.go(route, options);
		return undefined;
	}

	// href returns the path of a route, or of an address below the app.
	href(route) {
		return this.router.href(route);
	}

	// scope returns a new Scope. The caller must end it.
	scope() {
		return new Scope(this);
	}

	// signedInMember returns the signed-in member, see its function in frame/membermenu.js.
	signedInMember() {
		return signedInMember(this.store);
	}

	// say announces a text to screen readers. Options: those of Frame.say.
	say(text, options) {
		this.frame.say(text, options);
	}

	// memberMenuItems returns the items of the menu of the signed-in member.
	memberMenuItems() {
		return memberMenuItems(this);
	}

	// openMemberSheet opens the dialog with the menu of the signed-in member on a phone.
	openMemberSheet() {
		openMemberSheet(this);
	}

	// openFind shows Find with the focus in its input, even while the card of a place is open.
	openFind() {
		this.isFindWanted = true;
		if (this.view?.area === "around") this.view.focus();
		else this.go({ kind: "find" });
	}

	// notificationsRoute returns the route of the notifications, a view of the panel of Social, or the route of Today
	// if the session does not contain Social.
	notificationsRoute() {
		const url = this.store.service("social")?.content_source;
		const route = url && routeOfPanel(this.store.session, url);
		return route ? { ...route, query: { view: "notifications" } } : { kind: "today" };
	}

	// signOut performs the action that ends the session, removes the data of the member from the browser,
	// and opens the sign-in page. If there are drafts, or unsent writes of the member or of others who use this
	// browser, it first asks the member to confirm their removal. Options: those of Actions.perform.
	async signOut(action, options) {
		const { words, queue } = this;
		const others = await queue.othersUnsent();
		const unsent = others.reduce((sum, { count }) => sum + count, queue.list.length);
		const names = others.map(({ name, count }) => words.frame.notSentOf(name || words.frame.anotherMember(), count));
		const draftCount = this.drafts.count;
		const lost = [...names, unsent > 0 && words.frame.signOutRemoves(), draftCount > 0 && words.frame.draftsRemoved()].filter(Boolean);
		if (lost.length > 0 && !(await confirm({
			words, title: unsent > 0 ? words.frame.notSentCount(unsent) : words.frame.draftCount(draftCount), text: lost.join(" "),
			confirmLabel: action.label, bad: true,
		}))) return;
		if ((await this.actions.perform(action, options)) === null) return;
		await this.queue.clear().catch(() => {}); // rejected if the browser has no database
		this.drafts.clear();
		sessionStorage.clear();
		this.leave();
	}

	// reload removes the stored responses and loads the page again, for example after a change of the
	// language of the member, on which all texts depend.
	async reload() {
		await this.memberCache.wipe();
		location.reload();
	}

	// leave ends the app and opens the sign-in page, which leads back to the present address.
	async leave() {
		if (this.#hasEnded) return;
		await this.#end();
		const { base, signIn } = this.paths;
		location.assign(`${signIn}?return_to=${encodeURIComponent(location.pathname.slice(base.length) + location.search)}`);
	}

	// #end stops the reads and writes, empties the page, and removes the stored responses from the browser.
	// Drafts and unsent writes remain. It returns a promise that is resolved when the responses are removed.
	#end() {
		this.#hasEnded = true;
		document.body.replaceChildren();
		this.reader.stop();
		this.follower?.stop();
		this.queue.stop();
		this.client.clearCache();
		return this.memberCache.wipe();
	}

	// #signInAgain handles a request that the server has rejected with error because the session has ended.
	// It asks the member to sign in, in a dialog over the present view, and then reads all data again. If
	// the member closes the dialog, it opens the sign-in page. It also opens that page if the server has not
	// sent the session in this visit, because the view then contains only the stored data of an earlier one.
	async #signInAgain(error) {
		if (this.words) Object.assign(error, { message: this.words.frame.signedOutMeanwhile(), requestId: "" }); // shown by a form
		if (this.#hasEnded || this.#isSigningIn) return;
		if (!this.frame || !this.reader.isConfirmed) return this.leave();
		this.#isSigningIn = true;
		this.follower.stop();
		this.client.clearCache();
		this.memberCache.wipe();
		const elsewhere = this.#detectSignInElsewhere();
		const isSignedIn = await import("./frame/signin.js")
			.then(({ askSignIn }) => askSignIn(this, elsewhere.signal)).catch(() => false); // rejected if a module cannot be loaded
		elsewhere.abort();
		this.#isSigningIn = false;
		if (!isSignedIn) return this.leave();
		this.follower.start();
		this.reader.refreshParts();
		this.queue.flush();
		return undefined;
	}

	// #detectSignInElsewhere returns an AbortController that is aborted when the member returns to the page
	// and has signed in in another tab. The caller aborts it to end the detection.
	#detectSignInElsewhere() {
		const elsewhere = new AbortController();
		const { signal } = elsewhere;
		const check = () => (
			document.hidden || this.client.request("GET", this.paths.session, { signal }).then(() => elsewhere.abort(), () => {})
		);
		addEventListener("visibilitychange", check, { signal });
		addEventListener("focus", check, { signal });
		return elsewhere;
	}

	// #showIfFound shows the route if its content was missing and exists now, for example a new event to
	// which the member has a link. It returns whether it shows the route.
	#showIfFound() {
		const isFound = Boolean(this.view?.isMissing && matchRoute(this.router.route, this.store));
		if (isFound) this.show({ keepFocus: true });
		return isFound;
	}

	// #onSession updates the view and the frame after a change of the session.
	#onSession() {
		if (this.view?.isMissing) return this.#showIfFound() || this.frame.refresh();
		const match = matchRoute(this.router.route, this.store);
		if (!match && this.view?.match) return this.show({ keepFocus: true });
		if (match && this.view) this.view.match = match;
		this.frame.refresh();
		return undefined;
	}

	// #focusSurface makes the surface of a view the focused surface of its stack in World. The placement of
	// a surface may name a stack that no longer contains it, for example of a finding that has been
	// translated: then it does nothing.
	#focusSurface({ surface }) {
		const stack = surface && stackOf(this.store, surface.placement?.metadata?.stack_id);
		const isInStack = stack?.surface_order?.includes(surface.surface_id);
		if (!isInStack || !stack.commands?.focus_surface || stack.focused_surface_id === surface.surface_id) return;
		this.dispatcher.post(stack.commands.focus_surface, { surface_id: surface.surface_id })
			.catch(() => {}); // the next visit of the surface tries again
	}

	// #onOldVersion offers to load the new version of the app. When the page becomes hidden, it loads the
	// new version without a question, unless input of the member would be lost.
	#onOldVersion() {
		const { words } = this;
		this.toasts.show(words.frame.newVersion(), {
			duration: RELOAD_TOAST_DURATION, action: { label: words.frame.reload(), run: () => location.reload() },
		});
		document.addEventListener("visibilitychange", () => document.hidden && !hasInput() && location.reload());
	}

	// #onProblem handles an error of a background read. If the member must add a second factor first, it
	// opens the account page.
	#onProblem(error) {
		if (error.code === "second_factor_enrollment_required") location.assign(this.paths.account);
	}

	// #followMember loads the page again after a change of the language, the formats, the time zone or the first day
	// of the week of the member, for example on another device. If input of the member would be lost, a toast
	// offers to load the page.
	#followMember() {
		const preferences = () => {
			const { locale, formats, timezone, week_start: week } = this.store.dataset.member;
			return [locale, formats, timezone, week].join(" ");
		};
		const initial = preferences();
		this.store.subscribe(["member"], () => {
			if (preferences() === initial) return;
			if (!hasInput()) this.reload();
			else this.toasts.show(this.words.frame.memberChanged(), {
				duration: RELOAD_TOAST_DURATION, action: { label: this.words.frame.reload(), run: () => this.reload() },
			});
		});
	}

	// #onConnection shows a notice while the server cannot be reached, or a proxy in front of it requires a sign-in.
	#onConnection() {
		const { state, lastContact } = this.connection;
		const { words } = this;
		if (state === "intercepted") return this.frame.note("network", interceptionNotice(words));
		const text = words.frame[state === "offline" ? "offlineSince" : "unreachableSince"](lastContact && words.when(lastContact));
		return this.frame.note("network", state === "online" ? null : { kind: "offline", text });
	}

	// #follow starts the Follower, and handles the lifecycle events of the page.
	#follow() {
		const { client, store, reader } = this;
		const name = `changes ${this.paths.base} ${store.memberId}`;
		this.follower = new Follower({
			client, name, url: store.streamURL, onEvent: (event) => reader.refreshParts(event),
			onLive: (isLive) => isLive && this.version.checkAgain(),
		});
		this.follower.start();
		addEventListener("visibilitychange", () => (document.hidden ? this.memberCache.flush() : this.dispatcher.expectMember()));
		addEventListener("pagehide", () => this.follower.stop()); // a page with an open stream is not put into the back/forward cache
		addEventListener("pageshow", ({ persisted }) => {
			if (!persisted) return;
			if (this.#hasEnded) location.reload();
			this.follower.start();
			reader.refreshParts();
		});
	}
}

// startProblem returns the notice of an error of the first reads. retry reads again, which only a temporary
// error permits.
function startProblem(error, words, retry) {
	if (error.code === "intercepted") return notice(interceptionNotice(words));
	return problem(error, words, error.retryable ? retry : undefined);
}

// nextPaint returns a promise that is resolved after the next frame. Browsers render no frames of a background
// page: there it is resolved after FRAME_TIMEOUT.
function nextPaint() {
	return new Promise((done) => {
		requestAnimationFrame(() => setTimeout(done));
		setTimeout(done, FRAME_TIMEOUT);
	});
}

// hasInput reports whether a reload of the page could discard input of the member: whether a dialog is open or
// a text field is not empty.
function hasInput() {
	return document.querySelector("dialog[open]") !== null
		|| [...document.querySelectorAll("input:not([type=radio], [type=checkbox]), textarea")].some(({ value }) => value !== "");
}
