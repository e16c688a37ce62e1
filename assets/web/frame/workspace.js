// The workspace: the stacks of surfaces and the objects that the member has opened.

import { objectOf } from "./routes.js";

const SHOWN_ELSEWHERE = new Set(["carry_primary", "left_context", "right_context", "finding_overlay"]);

// OBJECT_ICONS are the icons of objects by type.
const OBJECT_ICONS = {
	calendar_event: "calendar", task: "task", message_thread: "message", social_dm: "message", community: "people", conversation: "talk", event: "calendar", profile: "person",
	place: "pin", web_resource: "article",
};

// iconOf returns the icon of an object.
export function iconOf(object) {
	return OBJECT_ICONS[object.object_type] ?? "puzzle";
}

// carried returns what the member carries: the surfaces of the carry stack that the dock does
// not have, and the objects of the workspace. Each entry has id, title, icon, badge, route, and,
// where World permits it, move(index) and letGo().
export function carried(app) {
	const { store } = app;
	const stack = stackOf(store, "carry_primary");
	const inDock = new Set((store.session.shell?.dock?.items ?? []).map(({ action }) => action?.body?.surface_id));
	const surfaces = surfacesOf(store, stack).filter(({ surface_id: id }) => !inDock.has(id));
	const shown = new Set(surfaces.map((surface) => objectOf(surface, store)?.world_object_id).filter(Boolean));
	return [...surfaceEntries(app, stack, surfaces), ...objectEntries(app, shown)];
}

// stacksBeside returns the stacks that are not shown elsewhere, as { title, entries }.
export function stacksBeside(app) {
	const { store } = app;
	return (store.session.surface_runtime?.stacks ?? [])
		.filter(({ stack_id: id }) => !SHOWN_ELSEWHERE.has(id))
		.map((stack) => ({ title: stack.title || stack.stack_id.replaceAll("_", " "), entries: surfaceEntries(app, stack, surfacesOf(store, stack)) }))
		.filter(({ entries }) => entries.length > 0);
}

// besides returns the surfaces of the right context that belong beside a surface: those that
// name it or none. Without a surface, on Today, it returns all.
export function besides(store, surface) {
	return surfacesOf(store, stackOf(store, "right_context")).filter(({ placement }) => {
		const wanted = placement?.metadata?.matches_surface_id;
		return !surface || !wanted || wanted === surface.surface_id;
	});
}

// aboveOneself returns the surfaces of the left context other than that of the member.
export function aboveOneself(store) {
	const own = new Set((store.session.shell?.dock?.items ?? []).map(({ action }) => action?.body?.surface_id));
	return surfacesOf(store, stackOf(store, "left_context")).filter(({ surface_id: id }) => !own.has(id));
}

export function stackOf(store, id) {
	return store.session.surface_runtime?.stacks?.find(({ stack_id: stackId }) => stackId === id);
}

// surfacesOf returns the surfaces of a stack in its order.
export function surfacesOf(store, stack) {
	return (stack?.surface_order ?? []).map((id) => store.surface(id)).filter(Boolean);
}

function surfaceEntries(app, stack, surfaces) {
	return surfaces.map((surface) => ({
		id: surface.surface_id, title: surface.title, icon: surface.icon, badge: surface.badge?.count, route: { kind: "on", id: surface.surface_id },
		move: stack.commands?.reorder_stack && surfaces.length > 1 ? (to) => reorder(app, stack, surfaces, surface, to) : null,
		letGo: surface.removable && surface.commands?.remove_surface ? () => app.acts.act({ method: "POST", url: surface.commands.remove_surface, body: {} }, { done: app.words.frame.letGoDone(surface.title) }) : null,
		acts: moves(app, surface),
	}));
}

// carryItem returns the item of a menu that carries an object or lets it go, or null.
export function carryItem(app, object) {
	const { words, store, acts } = app;
	const remove = store.actionOn(object.world_object_id, "remove_from_workspace");
	if (remove) return { label: words.frame.letGo(), icon: "close", run: () => acts.act(remove, { done: words.frame.letGoDone(object.title) }) };
	const focus = store.actionOn(object.world_object_id, "focus_object");
	return focus ? { label: words.frame.carry(), icon: "carry", run: () => acts.act(focus, { done: words.frame.carriedNow(object.title) }) } : null;
}

// moves returns the items of a menu that move a surface to another stack.
export function moves(app, surface) {
	const { words, store } = app;
	const url = surface.commands?.update_placement;
	if (!url) return [];
	const current = surface.placement?.metadata?.stack_id;
	const to = (stackId, label, icon) => stackOf(store, stackId) && current !== stackId && {
		label, icon, run: () => app.acts.act({ method: "POST", url, body: { placement_mode: "stacked", placement: { stack_id: stackId } } }),
	};
	return [to("right_context", words.frame.keepBeside(), "columns"), to("carry_primary", words.frame.carry(), "carry")].filter(Boolean);
}

async function reorder(app, stack, surfaces, surface, to) {
	const order = surfaces.map(({ surface_id: id }) => id).filter((id) => id !== surface.surface_id);
	order.splice(to, 0, surface.surface_id);
	const rest = stack.surface_order.filter((id) => !order.includes(id));
	const before = app.store.session.surface_runtime;
	app.store.setSurfaces(withOrder(before, stack, [...rest, ...order]));
	const data = await app.acts.act({ method: "POST", url: stack.commands.reorder_stack, body: { surface_order: [...rest, ...order] } });
	if (data === null) app.store.setSurfaces(before);
	return data;
}

function withOrder(runtime, stack, order) {
	return { ...runtime, stacks: runtime.stacks.map((other) => (other.stack_id === stack.stack_id ? { ...other, surface_order: order } : other)) };
}

// objectEntries returns the objects of the workspace in its order, without those whose surface
// is carried.
function objectEntries(app, shown) {
	const { store, acts } = app;
	const { order = [], working_set: set = [] } = store.dataset?.workspace ?? {};
	const ids = [...new Set([...order, ...set.map((entry) => entry.world_object_id ?? entry)])];
	return ids.map((id) => store.object(id)).filter((object) => object && !shown.has(object.world_object_id)).map((object, i, objects) => {
		const remove = store.actionOn(object.world_object_id, "remove_from_workspace");
		const earlier = store.actionOn(object.world_object_id, "move_earlier");
		const later = store.actionOn(object.world_object_id, "move_later");
		return {
			id: object.world_object_id, title: object.title, icon: iconOf(object), route: { kind: "at", id: object.world_object_id },
			move: earlier || later ? (to) => moveObject(app, objects.map((other) => other.world_object_id), object, i, to, earlier, later) : null,
			letGo: remove ? () => acts.act(remove) : null,
		};
	});
}

// moveObject moves an object of the workspace by one position with its own action, or anywhere
// with the action on the whole order.
function moveObject(app, ids, object, from, to, earlier, later) {
	const step = to - from === -1 ? earlier : to - from === 1 ? later : null;
	if (step) return app.acts.act(step);
	const reorderAll = app.store.actionsOn("workspace").find(({ type }) => type === "order_workspace");
	if (!reorderAll) return null;
	const order = ids.filter((id) => id !== object.world_object_id);
	order.splice(to, 0, object.world_object_id);
	return app.acts.act(reorderAll, { values: { order: order.join(" ") } });
}
