// The MPI operator as it is published, but for one thing: its health check listens on a port that is
// free, not on 8080, where on a developer's machine something else listens already.
package main

import (
	"flag"
	_ "unsafe" // for go:linkname

	"github.com/kubeflow/mpi-operator/cmd/mpi-operator/app"
	"github.com/kubeflow/mpi-operator/cmd/mpi-operator/app/options"
	"k8s.io/klog/v2"
)

// The operator has no flag for it.
//
//go:linkname healthCheckPort github.com/kubeflow/mpi-operator/cmd/mpi-operator/app.healthCheckPort
var healthCheckPort int

func main() {
	healthCheckPort = 0
	server := options.NewServerOption()
	server.AddFlags(flag.CommandLine)
	flag.Parse()
	if err := app.Run(server); err != nil {
		klog.Fatalf("%v\n", err)
	}
}
