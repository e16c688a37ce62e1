package app

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"text/tabwriter"

	"appliance/app/config"
	"appliance/assets"
	"appliance/world/compat"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// release is the version of the next release.
const release = "0.1.0-dev"

// version is what this program calls itself.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return release
	}
	return versionOf(info)
}

// versionOf is the version that a build was tagged with, or the next release
// and the revision on the way to it. Without any tag Go makes one up that
// begins with v0.0.0.
func versionOf(info *debug.BuildInfo) string {
	v := release
	if m := info.Main.Version; m != "" && m != "(devel)" && !strings.HasPrefix(m, "v0.0.0-") {
		v = m
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 && !strings.Contains(v, s.Value[:12]) {
			v += "+" + s.Value[:12]
		}
	}
	return v
}

func (c *cli) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which version this is",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v := struct {
				Version string `json:"version"`
				Go      string `json:"go"`
				System  string `json:"system"`
			}{version(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
			return c.print(v, func(w io.Writer) {
				fmt.Fprintf(w, "appliance %s (%s, %s)\n", v.Version, v.Go, v.System)
			})
		},
	}
}

func (c *cli) configCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Print every setting and where its value comes from",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			settings, err := c.settings(cmd)
			if err != nil {
				return err
			}
			list, err := settings.List()
			if err != nil {
				return err
			}
			return c.print(list, func(w io.Writer) {
				table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
				for _, s := range list {
					fmt.Fprintf(table, "%s\t%s\t%s\n", s.Name, s.Value, s.Origin)
				}
				table.Flush()
			})
		},
	}
	config.AddFlags(cmd.Flags())
	return cmd
}

func (c *cli) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write manual pages into a folder",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			cmd.Root().DisableAutoGenTag = true
			return doc.GenManTree(cmd.Root(), &doc.GenManHeader{Title: "APPLIANCE", Section: "1", Source: "appliance " + release}, args[0])
		},
	}
}

func (c *cli) schemaCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "schema", Short: "The contracts that runtimes read, as JSON Schema"}
	cmd.AddCommand(&cobra.Command{
		Use:   "dump DIR",
		Short: "Write the schemas into a folder",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			for _, contract := range compat.Contracts {
				text, _ := compat.Schema(contract.Name, fmt.Sprint(contract.Version))
				if err := os.WriteFile(filepath.Join(args[0], path.Base(contract.File())), text, 0o644); err != nil {
					return err
				}
			}
			return c.print(compat.Contracts, func(w io.Writer) {
				for _, contract := range compat.Contracts {
					fmt.Fprintf(w, "%s %d\n", contract.Name, contract.Version)
				}
			})
		},
	})
	return cmd
}

// topic is one page of the manual.
type topic struct {
	name  string // the file's name without its ending
	title string
	text  string
	unit  bool // not Markdown but a file to be used as it is
}

// manual returns the pages of the manual in order.
func manual() []topic {
	var list []topic
	files, err := fs.Glob(assets.Files, "manual/*")
	if err != nil {
		panic(err)
	}
	for _, file := range files {
		text, err := fs.ReadFile(assets.Files, file)
		if err != nil {
			panic(err) // it is embedded
		}
		name, ending, _ := strings.Cut(path.Base(file), ".")
		first, _, _ := strings.Cut(string(text), "\n")
		list = append(list, topic{
			name: name, title: strings.TrimSuffix(strings.TrimPrefix(first, "# "), "."), text: string(text), unit: ending != "md",
		})
	}
	return list
}

// topics are the manual's pages as `appliance help TOPIC` prints them.
func topics() []*cobra.Command {
	var list []*cobra.Command
	for _, t := range manual() {
		cmd := &cobra.Command{Use: t.name, Short: t.title}
		cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) { fmt.Fprint(cmd.OutOrStdout(), t.text) })
		list = append(list, cmd)
	}
	return list
}
