package libraries

import (
	"testing"

	"appliance/app/apptest"
)

func TestMain(m *testing.M) { apptest.Main(m) }
