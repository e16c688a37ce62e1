// Appliance is a home server for a small community: one binary, one port and one
// data directory. It hosts the members' calendars for all CalDAV clients, their
// messages and communities, and World, which serves all of it as one dataset.
//
//	appliance serve          run the server; on a fresh machine also set it up
//	appliance setup          create the first operator without a browser
//	appliance admin members  list, add and change members
//	appliance backup FILE    back up the database while the server runs
//	appliance help           show the manual
//
// The data is in ./data unless --data names another directory.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"appliance/app/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(cli.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
