// The state of the app: the session and the dataset of the member, with indexes. Only responses
// of the server change it.

import { ID_FIELDS, applyChanges, changedSections } from "./delta.js";
import { isPermittedAction } from "./permissions.js";

// Store contains the latest session and dataset. Subscribers are called with the set of the names
// of the changed sections: sections of the dataset, and "session".
export class Store {
	session = null;
	dataset = null;
	#subscribers = new Map(); // function → set of section names, or null for all sections
	#changed = new Set(); // sections whose change has not been delivered to the subscribers
	#indexes = new Map(); // section → Map of records by id; built on the first use
	#byResource = null; // Map from ids of records, such as events, to objects; built on the first use
	#byTarget = null; // Map from targetOf to actions; built on the first use

	// onOtherMember is called when a response belongs to another member, who has signed in
	// meanwhile. The store has been cleared before the call.
	constructor({ onOtherMember = () => {} } = {}) {
		this.onOtherMember = onOtherMember;
	}

	// subscribe calls `listener` after changes of the sections, or of any section if sections is
	// null. Changes in the same task cause one call. It returns a function that ends the
	// subscription.
	subscribe(sections, listener) {
		this.#subscribers.set(listener, sections ? new Set(sections) : null);
		return () => this.#subscribers.delete(listener);
	}

	// memberId is the id of the member who owns the session or the dataset, or null.
	get memberId() {
		return this.session?.runtime_session?.user_id ?? this.dataset?.member?.member_id ?? null;
	}

	// revision is the revision of the dataset, "" without one.
	get revision() {
		return this.dataset?.capabilities?.changes?.revision ?? "";
	}

	// hasActions reports whether the dataset contains the section actions. A restored dataset gets it
	// after the first screen.
	get hasActions() {
		return this.dataset?.actions !== undefined;
	}

	// changesURL is the path that returns the changes since the present dataset, or undefined.
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

	// setSurfaces replaces the surface_runtime of the session by the one in the response to a write,
	// unless the session has a newer one.
	setSurfaces(surfaces) {
		if (!this.session || surfaces.revision < this.session.surface_runtime?.revision) return;
		this.session = { ...this.session, surface_runtime: surfaces };
		this.#notify(["session"]);
	}

	// setDataset applies a response: a whole dataset, or the changes since a revision. If that is
	// not the revision of the present dataset, it changes nothing and returns false; the caller
	// then reads the changes since the present one.
	setDataset(response) {
		const { delta } = response;
		if (delta && delta.since !== this.revision) return delta.revision === this.revision;
		this.#expectMember(response.member?.member_id);
		const changed = changedSections(this.dataset, response);
		this.dataset = delta ? applyChanges(this.dataset, response) : response;
		for (const section of changed) this.#indexes.delete(section);
		if (changed.includes("actions") || changed.includes("objects")) this.#byTarget = null;
		if (changed.includes("objects")) this.#byResource = null;
		this.#notify(changed);
		return true;
	}

	// clear removes the session and the dataset, for example after a sign-out.
	clear() {
		const sections = [...(this.session ? ["session"] : []), ...Object.keys(this.dataset ?? {})];
		this.session = this.dataset = this.#byTarget = this.#byResource = null;
		this.#indexes.clear();
		this.#notify(sections);
	}

	// object returns the record of the dataset with an id, or undefined; so do the next three.
	object(id) {
		return this.#index("objects").get(id);
	}

	// objectOfRecord returns the object for the id of a record, such as an event, or undefined.
	objectOfRecord(id) {
		this.#byResource ??= new Map((this.dataset?.objects ?? []).map((object) => [object.source?.resource_id, object]));
		return id === undefined ? undefined : this.#byResource.get(id);
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

	// actions returns the actions with the given ids, such as the actions of an object or an item. Unknown
	// ids and actions that the permissions of their object do not allow are left out.
	actions(ids = []) {
		return ids.map((id) => this.action(id)).filter((action) => action && this.#isPermitted(action));
	}

	// actionsOn returns the actions on a target: the id of an object or a finding, or the kind of a
	// target without an id, such as "workspace" or "member".
	actionsOn(id) {
		this.#byTarget ??= groupByTarget((this.dataset?.actions ?? []).filter((action) => this.#isPermitted(action)));
		return this.#byTarget.get(id) ?? [];
	}

	// actionOn returns the first action of a type on a target, or undefined if the member is not
	// permitted to perform one.
	actionOn(id, type) {
		return this.actionsOn(id).find((action) => action.type === type);
	}

	// reason returns the fallback that explains why an action is unavailable, or undefined.
	reason(action) {
		if (!action.fallback) return undefined;
		return this.dataset?.fallbacks?.find((fallback) => fallback.fallback_id === action.fallback);
	}

	// service returns the descriptor of a service in the session, or undefined.
	service(id) {
		return this.session?.services?.find((service) => service.id === id);
	}

	// surface returns a surface of the session, or undefined.
	surface(id) {
		return this.session?.surface_runtime?.surfaces?.find((surface) => surface.surface_id === id);
	}

	#isPermitted(action) {
		return isPermittedAction(action, this.object(action.target?.world_object_id));
	}

	// #expectMember clears the store if a response belongs to another member.
	#expectMember(memberId) {
		if (this.memberId === null || memberId === undefined || memberId === this.memberId) return;
		this.clear();
		this.onOtherMember();
	}

	// #index returns the records of a section by id.
	#index(section) {
		let index = this.#indexes.get(section);
		if (!index) {
			index = new Map((this.dataset?.[section] ?? []).map((record) => [record[ID_FIELDS[section]], record]));
			this.#indexes.set(section, index);
		}
		return index;
	}

	// #notify schedules the call of the subscribers.
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
				reportError(error); // the other subscribers are called nevertheless
			}
		}
	}
}

// targetOf returns the id of the target of an action, or its kind if it has none.
function targetOf({ target = {} }) {
	return target.world_object_id ?? target.finding_id ?? target.kind;
}

// groupByTarget returns the actions by target.
function groupByTarget(actions) {
	const groups = new Map();
	for (const action of actions) {
		const id = targetOf(action);
		if (groups.has(id)) groups.get(id).push(action);
		else groups.set(id, [action]);
	}
	return groups;
}
