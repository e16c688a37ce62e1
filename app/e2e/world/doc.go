// Package world tests the dataset, the session and the translated output.
package world
