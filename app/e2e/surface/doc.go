// Package surface tests surfaces, findings and the workspace.
package surface
