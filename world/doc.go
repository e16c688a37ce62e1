// Package world is the gateway between runtimes and services. It composes the
// datasets of members, performs the actions that are not an operation of one
// service, and makes writes idempotent.
//
// # Files
//
//   - world.go       World
//   - dispatch.go    POST /world/actions: the actions by code, the response
//   - workspace.go   what the actions of the workspace do
//   - titles.go      current titles of the objects that surfaces show
//   - idempotency.go writes with an idempotency key
//   - contracts.go   the published contracts
//
// The sub-packages: dataset composes and caches the dataset; action declares
// actions, controls and addresses; record holds what the read routes return;
// panel renders the panels; compat renders the dataset and the workspace for
// runtimes with surfaces and stacks.
//
// # Why
//
// The dataset is for runtimes that do not exist yet, so it contains no word of
// screens. Everything about presentation is in the packages panel and compat,
// which import dataset; dataset must never import them.
package world
