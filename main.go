// Appliance hosts a household or a small community on one port, from one
// data directory: members, their calendars for every CalDAV client, and World,
// one dataset of it all for every runtime.
//
//	appliance serve          serve; on a fresh machine this is the whole set-up
//	appliance setup          make the first operator without a browser
//	appliance admin members  who lives here
//	appliance backup FILE    copy everything while serving
//	appliance help           the manual
//
// The data is in ./data unless --data says otherwise.
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
