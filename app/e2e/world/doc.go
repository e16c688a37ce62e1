// Package world tests the outputs of World in the whole program: the dataset, the
// session, the translated output and the field, their URLs, and the isolation of
// members. It also runs the harness against the program and against broken
// responses. The rules of the dataset are tested in world/dataset.
package world
