{{- define "relt.agentPod" -}}
{{- $agent := .Values.agent -}}
{{- $part := dict "root" . "part" "agent" -}}
{{- $isCronJob := eq $agent.form "cronjob" -}}
{{- include "relt.podFields" $part }}
automountServiceAccountToken: true
{{- if $isCronJob }}
restartPolicy: Never
{{- end }}
containers:
  - name: agent
    {{- include "relt.containerFields" $part | nindent 4 }}
    args:
      - agent
      - run
      {{- if $isCronJob }}
      - --once
      {{- end }}
      - --config
      - /etc/relt/agent.yaml
    env:
      {{- include "relt.env" . | nindent 6 }}
      {{- if $agent.caBundle }}
      - name: RELT_CA_FILE
        value: /etc/relt-ca/ca.crt
      {{- end }}
      {{- if $agent.secretName }}
      {{- /* Kubernetes starts no pod if a key is missing: with a wrong secret, no agent runs without its server. */}}
      {{- $names := include "relt.agentEnvNames" . | fromJsonArray }}
      {{- range list "RELT_SERVER" "RELT_USERNAME" "RELT_PASSWORD" }}
      {{- if not (has . $names) }}
      - name: {{ . }}
        valueFrom:
          secretKeyRef:
            name: {{ $agent.secretName | quote }}
            key: {{ . }}
      {{- end }}
      {{- end }}
      {{- end }}
      {{- with $agent.env }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
    {{- if $agent.secretName }}
    envFrom:
      - secretRef:
          name: {{ $agent.secretName | quote }}
    {{- end }}
    {{- if $agent.podMonitor.enabled }}
    ports:
      - name: metrics
        containerPort: {{ $agent.config.health_port }}
    {{- end }}
    {{- if not $isCronJob }}
    livenessProbe:
      exec:
        command: [relt, agent, status, --probe]
      initialDelaySeconds: 60
      periodSeconds: 60
      timeoutSeconds: 20
      failureThreshold: 3
    {{- end }}
    volumeMounts:
      - name: data
        mountPath: /data
      - name: config
        mountPath: /etc/relt
        readOnly: true
      - name: tmp
        mountPath: /tmp
      {{- if $agent.caBundle }}
      - name: ca
        mountPath: /etc/relt-ca
        readOnly: true
      {{- end }}
volumes:
  - name: data
    persistentVolumeClaim:
      claimName: {{ default (include "relt.agentName" .) $agent.persistence.existingClaim | quote }}
  - name: config
    secret:
      secretName: {{ include "relt.agentName" . }}-config
  - name: tmp
    emptyDir: {}
  {{- if $agent.caBundle }}
  - name: ca
    configMap:
      name: {{ $agent.caBundle | quote }}
      items:
        - key: ca.crt
          path: ca.crt
  {{- end }}
{{- end }}
