{{- define "server.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "server.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "server.name" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end -}}

{{- define "server.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
app.kubernetes.io/part-of: spillway
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{ include "server.selector" . }}
{{- end -}}

{{- define "server.selector" -}}
app.kubernetes.io/name: spillway
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "server.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{/* What the values do not say by themselves, with the way out. */}}
{{- define "server.check" -}}
{{- if not .Values.database.host }}{{ fail "database.host is required: Spillway brings no database" }}{{ end -}}
{{- if not .Values.database.secret.name }}{{ fail "database.secret.name is required: a Secret with user and password" }}{{ end -}}
{{- if and (eq .Values.database.sslMode "verify-full") (not .Values.database.caSecret.name) }}{{ fail "database.caSecret.name is required with sslMode verify-full: the authority that signed the database's certificate" }}{{ end -}}
{{- if not .Values.kafka.bootstrapServers }}{{ fail "kafka.bootstrapServers is required: Spillway brings no broker" }}{{ end -}}
{{- if and (hasPrefix "SASL" .Values.kafka.securityProtocol) (not .Values.kafka.secret.name) }}{{ fail (printf "kafka.secret.name is required with securityProtocol %s: a Secret with sasl.jaas.config" .Values.kafka.securityProtocol) }}{{ end -}}
{{- if and .Values.policies.files .Values.policies.configMap }}{{ fail "policies.files and policies.configMap are both set; keep one" }}{{ end -}}
{{- if and (eq .Values.policies.source "directory") (not .Values.policies.files) (not .Values.policies.configMap) }}{{ fail "policies.files or policies.configMap is required with policies.source directory; or set policies.source to api" }}{{ end -}}
{{- if not (or .Values.auth.tokensSecret.name .Values.auth.adminTokenSecret.name .Values.auth.oidc.enabled) }}{{ fail "nobody could log in: set auth.tokensSecret.name, auth.adminTokenSecret.name or auth.oidc.enabled" }}{{ end -}}
{{- if and .Values.auth.oidc.enabled (not .Values.auth.oidc.authServerUrl) }}{{ fail "auth.oidc.authServerUrl is required when auth.oidc.enabled" }}{{ end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) }}{{ fail "ingress.host is required when ingress.enabled" }}{{ end -}}
{{- end -}}

{{- define "server.publicUrl" -}}
{{- if .Values.publicUrl -}}{{ .Values.publicUrl }}
{{- else if .Values.ingress.enabled -}}{{ ternary "https" "http" (ne .Values.ingress.tlsSecret "") }}://{{ .Values.ingress.host }}
{{- end -}}
{{- end -}}

{{- define "server.servicePort" -}}
{{- if .Values.service.port -}}{{ int .Values.service.port }}
{{- else -}}{{ ternary 443 8080 (ne .Values.tls.secret "") }}
{{- end -}}
{{- end -}}

{{- define "server.policiesConfigMap" -}}
{{- if .Values.policies.files -}}{{ include "server.name" . }}-policies
{{- else -}}{{ .Values.policies.configMap }}
{{- end -}}
{{- end -}}

{{/* The environment variable that holds one credential; it stands in the properties as an expression. */}}
{{- define "server.credential" -}}
{{- printf "CREDENTIAL_%s_%s_%s" (index . 0) (index . 1) (index . 2) | upper | replace "-" "_" -}}
{{- end -}}

{{/* application.properties, from the values; nothing secret is in it. */}}
{{- define "server.configuration" -}}
quarkus.http.host=0.0.0.0
quarkus.management.host=0.0.0.0
quarkus.management.port={{ int .Values.managementPort }}
# Off the list of endpoints first, then an end to requests, then to the loop.
quarkus.shutdown.delay=5s
{{- if .Values.tls.secret }}
# 8080 stays open for replicas among themselves.
quarkus.http.ssl-port=8443
quarkus.http.insecure-requests=enabled
quarkus.http.tls-configuration-name=spillway
quarkus.tls.spillway.key-store.pem.0.cert=/etc/spillway/tls/tls.crt
quarkus.tls.spillway.key-store.pem.0.key=/etc/spillway/tls/tls.key
quarkus.tls.spillway.reload-period=1h
{{- end }}
{{- $db := .Values.database }}
quarkus.datasource.reactive.url=postgresql://{{ $db.host }}:{{ int $db.port }}/{{ $db.name }}?sslmode={{ $db.sslMode }}
{{- if eq $db.sslMode "verify-full" }}
quarkus.datasource.reactive.trust-certificate-pem=true
quarkus.datasource.reactive.trust-certificate-pem.certs=/etc/spillway/database/ca.crt
quarkus.datasource.reactive.hostname-verification-algorithm=HTTPS
quarkus.datasource.jdbc.url=jdbc:postgresql://{{ $db.host }}:{{ int $db.port }}/{{ $db.name }}?sslmode=verify-full&sslrootcert=/etc/spillway/database/ca.crt
{{- else }}
quarkus.datasource.jdbc.url=jdbc:postgresql://{{ $db.host }}:{{ int $db.port }}/{{ $db.name }}?sslmode={{ $db.sslMode }}
{{- end }}
kafka.bootstrap.servers={{ .Values.kafka.bootstrapServers }}
kafka.security.protocol={{ .Values.kafka.securityProtocol }}
{{- if hasPrefix "SASL" .Values.kafka.securityProtocol }}
kafka.sasl.mechanism={{ .Values.kafka.saslMechanism }}
kafka.sasl.jaas.config=${KAFKA_JAAS}
{{- end }}
{{- if .Values.kafka.caSecret.name }}
kafka.ssl.truststore.type=PEM
kafka.ssl.truststore.location=/etc/spillway/kafka/ca.crt
{{- end }}
spillway.policies.source={{ .Values.policies.source }}
{{- if include "server.policiesConfigMap" . }}
spillway.policies.directory=/etc/spillway/policies
{{- end }}
{{- if .Values.auth.tokensSecret.name }}
spillway.auth.tokens-file=/etc/spillway/tokens/tokens.yaml
{{- end }}
{{- with .Values.auth.oidc }}
{{- if .enabled }}
spillway.auth.oidc.enabled=true
spillway.auth.oidc.auth-server-url={{ .authServerUrl }}
spillway.auth.oidc.client-id={{ .clientId }}
{{- with .issuer }}
spillway.auth.oidc.issuer={{ . }}
{{- end }}
{{- with .audience }}
spillway.auth.oidc.audience={{ . }}
{{- end }}
{{- end }}
{{- end }}
{{- with include "server.publicUrl" . }}
spillway.install.server={{ . }}
{{- end }}
spillway.install.chart={{ .Values.agentInstall.chart }}
{{- with .Values.agentInstall.imageRepository }}
spillway.install.image={{ . }}
{{- end }}
{{- range $provider, $accounts := .Values.providers }}
{{- range $name, $account := $accounts }}
{{- $prefix := printf "spillway.providers.%s.accounts.%s" $provider $name }}
{{- with $account.accountId }}
{{ $prefix }}.account-id={{ . }}
{{- end }}
{{- with $account.regions }}
{{ $prefix }}.regions={{ join "," . }}
{{- end }}
{{- /* An account without any key is still an account. */}}
{{ $prefix }}.interval={{ $account.interval | default "60s" }}
{{- with $account.discount }}
{{ $prefix }}.discount={{ . }}
{{- end }}
{{- with $account.callRate }}
{{ $prefix }}.call-rate={{ . }}
{{- end }}
{{- with $account.endpoint }}
{{ $prefix }}.endpoint={{ . }}
{{- end }}
{{- range $key, $value := $account.credentials }}
{{ $prefix }}.credentials.{{ $key }}={{ $value }}
{{- end }}
{{- with $account.credentialsSecret }}
{{- range .keys }}
{{ $prefix }}.credentials.{{ . }}=${{ "{" }}{{ include "server.credential" (list $provider $name .) }}}
{{- end }}
{{- range .files }}
{{ $prefix }}.credentials.{{ . }}=/etc/spillway/credentials/{{ $provider }}-{{ $name }}/{{ . }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- range $key, $value := .Values.configuration }}
{{ $key }}={{ $value }}
{{- end }}
{{- end -}}
