{{- define "relt.serverPod" -}}
{{- $server := .Values.server -}}
{{- $part := dict "root" . "part" "server" -}}
{{- $onPostgres := ne $server.database.secretName "" -}}
{{- $scheme := ternary "HTTPS" "HTTP" (ne $server.tls.secretName "") -}}
{{- include "relt.podFields" $part }}
automountServiceAccountToken: false
containers:
  - name: server
    {{- include "relt.containerFields" $part | nindent 4 }}
    args:
      - serve
      - --host=0.0.0.0
      - --port={{ $server.port }}
      {{- if $server.tls.secretName }}
      - --tls-cert=/tls/tls.crt
      - --tls-key=/tls/tls.key
      {{- else if not $server.trustProxy }}
      - --insecure-http
      {{- end }}
      {{- if $server.trustProxy }}
      - --trust-proxy={{ $server.trustProxy }}
      {{- end }}
    env:
      {{- include "relt.env" . | nindent 6 }}
      {{- if $onPostgres }}
      - name: RELT_DATABASE_URL
        valueFrom:
          secretKeyRef:
            name: {{ $server.database.secretName }}
            key: {{ $server.database.key }}
      {{- end }}
      {{- if $server.masterKey.secretName }}
      - name: RELT_MASTER_KEY
        valueFrom:
          secretKeyRef:
            name: {{ $server.masterKey.secretName }}
            key: {{ $server.masterKey.key }}
      {{- end }}
      {{- with $server.env }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
    ports:
      - name: {{ lower $scheme }}
        containerPort: {{ $server.port }}
        protocol: TCP
    startupProbe:
      httpGet: {path: /healthz, port: {{ $server.port }}, scheme: {{ $scheme }}}
      # A migration of a large store comes first.
      failureThreshold: 180
      periodSeconds: 10
    livenessProbe:
      httpGet: {path: /healthz, port: {{ $server.port }}, scheme: {{ $scheme }}}
      periodSeconds: 20
      timeoutSeconds: 5
    readinessProbe:
      httpGet: {path: /readyz, port: {{ $server.port }}, scheme: {{ $scheme }}}
      periodSeconds: 10
      timeoutSeconds: 5
    volumeMounts:
      - name: data
        mountPath: /data
      - name: tmp
        mountPath: /tmp
      {{- if $server.tls.secretName }}
      - name: tls
        mountPath: /tls
        readOnly: true
      {{- end }}
volumes:
  - name: data
    {{- if $onPostgres }}
    emptyDir: {}
    {{- else }}
    persistentVolumeClaim:
      claimName: {{ default (include "relt.serverName" .) $server.persistence.existingClaim }}
    {{- end }}
  - name: tmp
    emptyDir: {}
  {{- if $server.tls.secretName }}
  - name: tls
    secret:
      secretName: {{ $server.tls.secretName }}
      defaultMode: 0440
  {{- end }}
{{- end }}
