// The state of the member: the session, the dataset and their indexes. It changes only by
// what the server returns.

import { KEYS, applyChanges, changedSections } from "./delta.js";

// Store contains the latest session and dataset. Subscribers are called with a set of the
// names of the changed sections: those of the dataset, and "session".
export class Store {
	session = null;
	dataset = null;
	#subscribers = new Map(); // function → set of section names; null for all
	#changed = new Set(); // sections that the subscribers do not know of yet
	#indexes = new Map(); // section → Map of records by id, made when needed
	#byTarget = null; // id of a target → its actions

	// onOtherMember is called when the data turns out to be that of another member, who has
	// signed in meanwhile. Everything of the first member has been removed then.
	constructor({ onOtherMember = () => {} } = {}) {
		this.onOtherMember = onOtherMember;
	}

	// subscribe calls `listener` after changes of the sections, of all without names. Changes
	// in one task are one call. It returns a function that ends the subscription.
	subscribe(sections, listener) {
		this.#subscribers.set(listener, sections ? new Set(sections) : null);
		return () => this.#subscribers.delete(listener);
	}

	// memberId is the id of the member whose data this is, or null.
	get memberId() {
		return this.session?.runtime_session?.user_id ?? this.dataset?.member?.member_id ?? null;
	}

	// revision is the revision of the dataset, "" without one.
	get revision() {
		return this.dataset?.capabilities?.changes?.revision ?? "";
	}

	// hasActions reports whether the dataset has its actions. One that has been restored gets them
	// after the first screen.
	get hasActions() {
		return this.dataset?.actions !== undefined;
	}

	// changesURL is the path of the changes since the present dataset, or undefined.
	get changesURL() {
		return this.dataset?.capabilities?.changes?.url;
	}

	// streamURL is the path of the stream, or undefined if the server has none.
	get streamURL() {
		return (this.session ?? this.dataset)?.capabilities?.stream?.url;
	}

	// setSession replaces the session.
	setSession(session) {
		this.#expectMember(session.runtime_session?.user_id);
		this.session = session;
		this.#notify(["session"]);
	}

	// setSurfaces replaces the surfaces and stacks of the session by those that a write has
	// returned, unless the session has newer ones.
	setSurfaces(surfaces) {
		if (!this.session || surfaces.revision < this.session.surface_runtime?.revision) return;
		this.session = { ...this.session, surface_runtime: surfaces };
		this.#notify(["session"]);
	}

	// setDataset applies an answer: a whole dataset, or the changes since a revision. It
	// returns false, and changes nothing, if the changes do not apply to the present dataset:
	// the caller then reads the changes since that one.
	setDataset(answer) {
		if (answer.delta && answer.delta.since !== this.revision) return answer.delta.revision === this.revision;
		this.#expectMember(answer.member?.member_id);
		const changed = changedSections(this.dataset, answer);
		this.dataset = answer.delta ? applyChanges(this.dataset, answer) : answer;
		for (const section of changed) this.#indexes.delete(section);
		if (changed.includes("actions")) this.#byTarget = null;
		this.#notify(changed);
		return true;
	}

	// clear removes everything, such as after a sign-out.
	clear() {
		const sections = [...(this.session ? ["session"] : []), ...Object.keys(this.dataset ?? {})];
		this.session = this.dataset = this.#byTarget = null;
		this.#indexes.clear();
		this.#notify(sections);
	}

	object(id) {
		return this.#index("objects").get(id);
	}

	context(id) {
		return this.#index("contexts").get(id);
	}

	action(id) {
		return this.#index("actions").get(id);
	}

	finding(id) {
		return this.#index("findings").get(id);
	}

	// actions returns the actions with the given ids, such as those of an object or an item.
	// Ids of unknown actions are left out.
	actions(ids = []) {
		return ids.map((id) => this.action(id)).filter(Boolean);
	}

	// actionsOn returns the actions whose target has the id: an object, a finding, or a kind
	// of target without an id, such as "workspace" or "member".
	actionsOn(id) {
		this.#byTarget ??= grouped(this.dataset?.actions ?? []);
		return this.#byTarget.get(id) ?? [];
	}

	// actionOn returns the first action with the type on a target, or undefined: then the
	// member is not permitted to do it.
	actionOn(id, type) {
		return this.actionsOn(id).find((action) => action.type === type);
	}

	// reason returns the fallback that explains why an action is not available, or undefined.
	reason(action) {
		return action.fallback ? this.dataset?.fallbacks?.find((fallback) => fallback.fallback_id === action.fallback) : undefined;
	}

	// service returns the descriptor of a service in the session, or undefined.
	service(id) {
		return this.session?.services?.find((service) => service.id === id);
	}

	// surface returns a surface of the session, or undefined.
	surface(id) {
		return this.session?.surface_runtime?.surfaces?.find((surface) => surface.surface_id === id);
	}

	#expectMember(memberId) {
		if (this.memberId === null || memberId === undefined || memberId === this.memberId) return;
		this.clear();
		this.onOtherMember();
	}

	#index(section) {
		let index = this.#indexes.get(section);
		if (!index) {
			index = new Map((this.dataset?.[section] ?? []).map((record) => [record[KEYS[section]], record]));
			this.#indexes.set(section, index);
		}
		return index;
	}

	#notify(sections) {
		if (sections.length === 0) return;
		if (this.#changed.size === 0) queueMicrotask(() => this.#deliver());
		for (const section of sections) this.#changed.add(section);
	}

	#deliver() {
		const changed = this.#changed;
		this.#changed = new Set();
		for (const [listener, sections] of [...this.#subscribers]) {
			if (sections && ![...sections].some((section) => changed.has(section))) continue;
			try {
				listener(changed);
			} catch (error) {
				reportError(error); // a view that fails does not stop the others
			}
		}
	}
}

// targetOf returns the id of the target of an action, or its kind if it has none.
function targetOf({ target = {} }) {
	return target.world_object_id ?? target.finding_id ?? target.kind;
}

function grouped(actions) {
	const groups = new Map();
	for (const action of actions) {
		const id = targetOf(action);
		if (groups.has(id)) groups.get(id).push(action);
		else groups.set(id, [action]);
	}
	return groups;
}
