{{/* Names, labels and what follows from several values. */}}
{{- define "agent.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "agent.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "agent.name" .) -}}
{{- else -}}
{{- required "serviceAccount.name is required when serviceAccount.create is false" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "agent.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
app.kubernetes.io/part-of: spillway
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{ include "agent.selector" . }}
{{- end -}}

{{- define "agent.selector" -}}
app.kubernetes.io/name: spillway-agent
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* An image's reference: digest before tag. */}}
{{- define "agent.image" -}}
{{- $image := index . 0 -}}{{- $tag := index . 1 -}}
{{- if $image.digest -}}
{{- printf "%s@%s" $image.repository $image.digest -}}
{{- else -}}
{{- printf "%s:%s" $image.repository ($image.tag | default $tag) -}}
{{- end -}}
{{- end -}}

{{/* What the values do not say by themselves, with the way out. */}}
{{- define "agent.check" -}}
{{- if not .Values.cluster }}{{ fail "cluster is required: the name of the Cluster document, --set cluster=…" }}{{ end -}}
{{- if not .Values.server }}{{ fail "server is required: where the control plane is, --set server=https://…" }}{{ end -}}
{{- if and (not .Values.token) (not .Values.tokenSecret.name) }}{{ fail "a token is required: --set token=… as POST /api/v1/clusters answered it, or tokenSecret.name" }}{{ end -}}
{{- if and .Values.token .Values.tokenSecret.name }}{{ fail "token and tokenSecret.name are both set; keep one" }}{{ end -}}
{{- if and .Values.tls.ca .Values.tls.caConfigMap.name }}{{ fail "tls.ca and tls.caConfigMap.name are both set; keep one" }}{{ end -}}
{{- if and .Values.prometheus.enabled (not .Values.prometheus.remoteWrite.url) }}{{ fail "prometheus.remoteWrite.url is required when prometheus.enabled: agent mode keeps nothing" }}{{ end -}}
{{- if and .Values.prometheus.enabled (not .Values.prometheus.kubeStateMetrics.deploy) (not .Values.prometheus.kubeStateMetrics.address) }}{{ fail "prometheus.kubeStateMetrics.address is required when prometheus.kubeStateMetrics.deploy is false" }}{{ end -}}
{{- if and (eq .Values.rbac.scope "namespaces") .Values.gate.namespaces }}
{{- range .Values.gate.namespaces }}{{ if contains "*" . }}{{ fail (printf "gate.namespaces has %q, but rbac.scope namespaces gives rights in listed namespaces only: list it in namespaces, or set rbac.scope to cluster" .) }}{{ end }}{{ end -}}
{{- end -}}
{{- if has .Release.Namespace .Values.namespaces }}{{ fail (printf "namespaces has %q, the agent's own: whoever runs pods there can read its token" .Release.Namespace) }}{{ end -}}
{{- end -}}

{{/* The https URL as it is; else host:port, with the usual port where none is said. */}}
{{- define "agent.server" -}}
{{- $server := .Values.server | trimPrefix "http://" | trimSuffix "/" -}}
{{- if or (hasPrefix "https://" $server) (regexMatch ":[0-9]+$" $server) -}}{{ $server }}
{{- else -}}{{ $server }}:{{ include "agent.serverPort" . }}
{{- end -}}
{{- end -}}

{{- define "agent.tls" -}}
{{- if hasPrefix "https://" .Values.server -}}true
{{- else if hasPrefix "http://" .Values.server -}}false
{{- else -}}{{ .Values.tls.enabled }}
{{- end -}}
{{- end -}}

{{/* The port of the control plane. */}}
{{- define "agent.serverPort" -}}
{{- $host := .Values.server | trimPrefix "http://" | trimPrefix "https://" | trimSuffix "/" -}}
{{- $port := regexFind ":[0-9]+$" $host | trimPrefix ":" -}}
{{- if $port -}}{{ $port }}
{{- else if eq (include "agent.tls" .) "true" -}}443
{{- else -}}80
{{- end -}}
{{- end -}}

{{- define "agent.podSecurity" -}}
{{- if .Values.podSecurity -}}{{ .Values.podSecurity }}
{{- else if or .Values.gate.allowPrivileged .Values.gate.allowHostNetwork (gt (len .Values.gate.allowHostPath) 0) -}}privileged
{{- else -}}baseline
{{- end -}}
{{- end -}}

{{/* The Secret with the token, and the ConfigMap with the authority, if there is one. */}}
{{- define "agent.tokenSecret" -}}
{{- .Values.tokenSecret.name | default (printf "%s-token" (include "agent.name" .)) -}}
{{- end -}}

{{- define "agent.tokenKey" -}}
{{- if .Values.tokenSecret.name }}{{ .Values.tokenSecret.key }}{{ else }}token{{ end -}}
{{- end -}}

{{- define "agent.caConfigMap" -}}
{{- if .Values.tls.ca -}}{{ include "agent.name" . }}-ca
{{- else -}}{{ .Values.tls.caConfigMap.name }}
{{- end -}}
{{- end -}}

{{- define "agent.caKey" -}}
{{- if .Values.tls.ca }}ca.crt{{ else }}{{ .Values.tls.caConfigMap.key }}{{ end -}}
{{- end -}}

{{/* All kinds of the gate, as JSON. */}}
{{- define "agent.allKinds" -}}
{{- toJson (uniq (concat .Values.gate.kinds .Values.gate.moreKinds)) -}}
{{- end -}}

{{/* The gate as the agent reads it. */}}
{{- define "agent.gate" -}}
{{- $gate := .Values.gate -}}
kinds: {{ include "agent.allKinds" . }}
namespaces: {{ toJson ($gate.namespaces | default .Values.namespaces) }}
serviceAccounts: {{ toJson $gate.serviceAccounts }}
registries: {{ toJson (uniq (append $gate.registries "registry.k8s.io")) }}
allowPrivileged: {{ $gate.allowPrivileged }}
allowHostPath: {{ toJson $gate.allowHostPath }}
allowHostNetwork: {{ $gate.allowHostNetwork }}
maxGpus: {{ int $gate.maxGpus }}
priorityClasses: {{ toJson (uniq (append $gate.priorityClasses "spillway-placeholder")) }}
runtimeClasses: {{ toJson $gate.runtimeClasses }}
{{- end -}}

{{/* The kinds of the gate that live in a namespace, as RBAC calls them. */}}
{{- define "agent.kinds" -}}
Job: {group: batch, resource: jobs}
JobSet: {group: jobset.x-k8s.io, resource: jobsets}
MPIJob: {group: kubeflow.org, resource: mpijobs}
Pod: {group: "", resource: pods}
PodTemplate: {group: "", resource: podtemplates}
Service: {group: "", resource: services}
ConfigMap: {group: "", resource: configmaps}
PersistentVolumeClaim: {group: "", resource: persistentvolumeclaims}
ServiceAccount: {group: "", resource: serviceaccounts}
ProvisioningRequest: {group: autoscaling.x-k8s.io, resource: provisioningrequests}
{{- end -}}
