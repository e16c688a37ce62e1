// Reads and changes the workspace of the member: the stacks of surfaces of the session, and the list of
// objects of the dataset.

import { objectOf } from "./routes.js";

// SPECIAL_STACKS are the ids of the stacks that have a place of their own in the app.
const SPECIAL_STACKS = new Set(["carry_primary", "left_context", "right_context", "finding_overlay"]);

// OBJECT_ICONS are the icons of objects by type.
const OBJECT_ICONS = {
	calendar_event: "calendar", task: "task", message_thread: "message", social_dm: "message", community: "people",
	conversation: "talk", event: "calendar", profile: "person", place: "pin", web_resource: "article",
};

// iconOf returns the icon of an object.
export function iconOf(object) {
	return OBJECT_ICONS[object.object_type] ?? "puzzle";
}

// carriedEntries returns the entries of the list "Carried" in the navigation: the surfaces of the stack
// carry_primary that are not in the dock, and the objects of the workspace that these surfaces do
// not show. An entry is:
//
//   id           the id of the surface or of the object
//   title, icon  texts
//   badge        the count of its badge, or undefined
//   route
//   move(index)  moves it to another position in its list; null if that is not permitted
//   remove()     removes it from its stack or from the workspace; null if that is not permitted
//   moveItems    the result of moveItems for a surface; undefined for an object
export function carriedEntries(app) {
	const { store } = app;
	const stack = stackOf(store, "carry_primary");
	const inDock = new Set((store.session.shell?.dock?.items ?? []).map(({ action }) => action?.body?.surface_id));
	const surfaces = surfacesOf(store, stack).filter(({ surface_id: id }) => !inDock.has(id));
	const surfaceObjects = new Set(surfaces.map((surface) => objectOf(surface, store)?.world_object_id).filter(Boolean));
	return [...surfaceEntries(app, stack, surfaces), ...objectEntries(app, surfaceObjects)];
}

// otherStacks returns the stacks that are not SPECIAL_STACKS and not empty, as a list of
// { title, entries }. The entries are those of carriedEntries.
export function otherStacks(app) {
	const { store } = app;
	return (store.session.surface_runtime?.stacks ?? [])
		.filter(({ stack_id: id }) => !SPECIAL_STACKS.has(id))
		.map((stack) => ({
			title: stack.title || stack.stack_id.replaceAll("_", " "), entries: surfaceEntries(app, stack, surfacesOf(store, stack)),
		}))
		.filter(({ entries }) => entries.length > 0);
}

// rightContextSurfaces returns the surfaces of the right context for the side column of a surface. It
// leaves out surfaces that are bound to another surface. With null, it returns all of them, for Today.
export function rightContextSurfaces(store, surface) {
	return surfacesOf(store, stackOf(store, "right_context")).filter(({ placement }) => {
		const matchedId = placement?.metadata?.matches_surface_id;
		return !surface || !matchedId || matchedId === surface.surface_id;
	});
}

// leftContextSurfaces returns the surfaces of the left context that are not in the dock.
export function leftContextSurfaces(store) {
	const inDock = new Set((store.session.shell?.dock?.items ?? []).map(({ action }) => action?.body?.surface_id));
	return surfacesOf(store, stackOf(store, "left_context")).filter(({ surface_id: id }) => !inDock.has(id));
}

// stackOf returns the stack with an id, or undefined.
export function stackOf(store, id) {
	return store.session.surface_runtime?.stacks?.find(({ stack_id: stackId }) => stackId === id);
}

// surfacesOf returns the surfaces of a stack in its order. stack may be undefined.
export function surfacesOf(store, stack) {
	return (stack?.surface_order ?? []).map((id) => store.surface(id)).filter(Boolean);
}

// surfaceEntries returns the entries of some surfaces of a stack, see carriedEntries.
function surfaceEntries(app, stack, surfaces) {
	return surfaces.map((surface) => ({
		id: surface.surface_id, title: surface.title, icon: surface.icon, badge: surface.badge?.count,
		route: { kind: "on", id: surface.surface_id },
		move: stack.commands?.reorder_stack && surfaces.length > 1 ? (moveItem) => reorder(app, stack, surfaces, surface, moveItem) : null,
		remove: surface.removable && surface.commands?.remove_surface
			? () => app.actions.perform(
				{ method: "POST", url: surface.commands.remove_surface, body: {} }, { doneText: app.words.frame.letGoDone(surface.title) },
			)
			: null,
		moveItems: moveItems(app, surface),
	}));
}

// carryItem returns the item of a menu that adds an object to the workspace or removes it from there, or
// null if neither is permitted.
export function carryItem(app, object) {
	const { words, store, actions } = app;
	const remove = store.actionOn(object.world_object_id, "remove_from_workspace");
	if (remove) {
		return {
			label: words.frame.letGo(), icon: "close",
			run: () => actions.perform(remove, { doneText: words.frame.letGoDone(object.title) }),
		};
	}
	const focus = store.actionOn(object.world_object_id, "focus_object");
	return focus ? {
		label: words.frame.carry(), icon: "carry", run: () => actions.perform(focus, { doneText: words.frame.carriedNow(object.title) }),
	} : null;
}

// moveItems returns the items of a menu that move a surface to the stack right_context or carry_primary;
// [] if that is not permitted.
export function moveItems(app, surface) {
	const { words, store } = app;
	const url = surface.commands?.update_placement;
	if (!url) return [];
	const currentStack = surface.placement?.metadata?.stack_id;
	const to = (stackId, label, icon) => stackOf(store, stackId) && currentStack !== stackId && {
		label, icon,
		run: () => app.actions.perform({ method: "POST", url, body: { placement_mode: "stacked", placement: { stack_id: stackId } } }),
	};
	return [to("right_context", words.frame.keepBeside(), "columns"), to("carry_primary", words.frame.carry(), "carry")].filter(Boolean);
}

// reorder moves a surface to an index in surfaces, a part of its stack. All other surfaces of the stack
// are placed before that part. The store gets the new order before the request, and the earlier order
// again after a failure.
async function reorder(app, stack, surfaces, surface, to) {
	const order = surfaces.map(({ surface_id: id }) => id).filter((id) => id !== surface.surface_id);
	order.splice(to, 0, surface.surface_id);
	const otherIds = stack.surface_order.filter((id) => !order.includes(id));
	const previousRuntime = app.store.session.surface_runtime;
	app.store.setSurfaces(withOrder(previousRuntime, stack, [...otherIds, ...order]));
	const body = { surface_order: [...otherIds, ...order] };
	const data = await app.actions.perform({ method: "POST", url: stack.commands.reorder_stack, body });
	if (data === null) app.store.setSurfaces(previousRuntime);
	return data;
}

// withOrder returns a surface_runtime with another order of a stack.
function withOrder(runtime, stack, order) {
	return {
		...runtime,
		stacks: runtime.stacks.map((other) => (other.stack_id === stack.stack_id ? { ...other, surface_order: order } : other)),
	};
}

// objectEntries returns the entries of the objects of the workspace in its order, see carriedEntries. excludedIds is
// the set of the ids of objects to leave out.
function objectEntries(app, excludedIds) {
	const { store, actions } = app;
	const { order = [], working_set: set = [] } = store.dataset?.workspace ?? {};
	const ids = [...new Set([...order, ...set.map((entry) => entry.world_object_id ?? entry)])];
	const isListed = (object) => object && !excludedIds.has(object.world_object_id);
	return ids.map((id) => store.object(id)).filter(isListed).map((object, i, objects) => {
		const remove = store.actionOn(object.world_object_id, "remove_from_workspace");
		const earlier = store.actionOn(object.world_object_id, "move_earlier");
		const later = store.actionOn(object.world_object_id, "move_later");
		return {
			id: object.world_object_id, title: object.title, icon: iconOf(object), route: { kind: "at", id: object.world_object_id },
			move: earlier || later
				? (to) => moveObject(app, objects.map((other) => other.world_object_id), object, i, to, earlier, later)
				: null,
			remove: remove ? () => actions.perform(remove) : null,
		};
	});
}

// moveObject moves an object of the workspace from one index to another in ids. For a move by one
// position, it performs the action move_earlier or move_later of the object, given as earlier and later;
// for other moves, the action order_workspace. It returns null if the action is not permitted.
function moveObject(app, ids, object, from, to, earlier, later) {
	const step = to - from === -1 ? earlier : to - from === 1 ? later : null;
	if (step) return app.actions.perform(step);
	const reorderAll = app.store.actionsOn("workspace").find(({ type }) => type === "order_workspace");
	if (!reorderAll) return null;
	const order = ids.filter((id) => id !== object.world_object_id);
	order.splice(to, 0, object.world_object_id);
	return app.actions.perform(reorderAll, { values: { order: order.join(" ") } });
}
