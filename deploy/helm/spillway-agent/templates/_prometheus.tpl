{{/* The optional Prometheus in agent mode and what it reads. */}}
{{- define "agent.prometheusSelector" -}}
app.kubernetes.io/name: spillway-prometheus
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "agent.prometheusLabels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
app.kubernetes.io/part-of: spillway
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{ include "agent.prometheusSelector" . }}
{{- end -}}

{{- define "agent.metricsSelector" -}}
app.kubernetes.io/name: spillway-kube-state-metrics
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "agent.metricsLabels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
app.kubernetes.io/part-of: spillway
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{ include "agent.metricsSelector" . }}
{{- end -}}

{{/* The labels of a job's pods that series are joined by. */}}
{{- define "agent.jobLabels" -}}
spillway.io/job-id,spillway.io/job-name,spillway.io/attempt,spillway.io/queue,spillway.io/part
{{- end -}}

{{- define "agent.prometheusConfiguration" -}}
{{- $prometheus := .Values.prometheus -}}
global:
  scrape_interval: {{ $prometheus.scrapeInterval }}
  external_labels: {{ toJson (merge (dict "cluster" .Values.cluster) $prometheus.externalLabels) }}
remote_write:
  - url: {{ $prometheus.remoteWrite.url | quote }}
    {{- if $prometheus.remoteWrite.tokenSecret.name }}
    authorization: {type: Bearer, credentials_file: /etc/spillway/remote-write/token}
    {{- end }}
    {{- with $prometheus.remoteWrite.headers }}
    headers: {{ toJson . }}
    {{- end }}
scrape_configs:
  # NVIDIA's exporter runs on every GPU node, in whatever namespace; its own pod and namespace labels are
  # those of the pod that uses the GPU, so they are kept.
  - job_name: dcgm
    honor_labels: true
    kubernetes_sd_configs: [{role: pod}]
    relabel_configs:
      - source_labels: [{{ include "agent.metaLabel" $prometheus.dcgm.podLabel.name }}, {{ include "agent.metaLabel" $prometheus.dcgm.podLabelKubernetes.name }}]
        regex: {{ printf "(%s);.*|.*;(%s)" (join "|" $prometheus.dcgm.podLabel.values) (join "|" $prometheus.dcgm.podLabelKubernetes.values) | quote }}
        action: keep
      # A pod with several ports is found once for each: keep one.
      - {source_labels: [__meta_kubernetes_pod_container_port_number], regex: {{ $prometheus.dcgm.port | toString | quote }}, action: keep}
      - {source_labels: [__meta_kubernetes_pod_node_name], target_label: node}
    metric_relabel_configs:
      - {source_labels: [__name__], regex: "DCGM_.*", action: keep}
  # Which pod is whose job.
  - job_name: kube-state-metrics
    honor_labels: true
    static_configs:
      - targets: [{{ include "agent.metricsAddress" . | quote }}]
    metric_relabel_configs:
      - {source_labels: [__name__], regex: "kube_pod_labels|kube_pod_status_phase|kube_pod_container_resource_requests", action: keep}
  - job_name: spillway-agent
    kubernetes_sd_configs: [{role: pod, namespaces: {own_namespace: true}}]
    relabel_configs:
      - {source_labels: [__meta_kubernetes_pod_label_app_kubernetes_io_name], regex: spillway-agent, action: keep}
      - {source_labels: [__meta_kubernetes_pod_container_port_name], regex: health, action: keep}
      - {source_labels: [__meta_kubernetes_pod_name], target_label: pod}
{{- end -}}

{{- define "agent.metaLabel" -}}
__meta_kubernetes_pod_label_{{ regexReplaceAll "[^a-zA-Z0-9_]" . "_" }}
{{- end -}}

{{- define "agent.metricsAddress" -}}
{{- if .Values.prometheus.kubeStateMetrics.deploy -}}
{{ include "agent.name" . }}-kube-state-metrics.{{ .Release.Namespace }}.svc:8080
{{- else -}}
{{ .Values.prometheus.kubeStateMetrics.address }}
{{- end -}}
{{- end -}}
