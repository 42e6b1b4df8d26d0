import { shellQuoted } from '../../ui/shell.ts'
import type { Trigger } from './draft.ts'

type Json = { [key: string]: Json | string }

const placeholder = /\{\{\s*(body[^{}]*?)\s*\}\}/g

/** A body with a value at each path that the trigger reads. */
function exampleBody({ template, conversation_key }: Pick<Trigger, 'template' | 'conversation_key'>): string {
  const paths = [...template.matchAll(placeholder)].map(([, path = '']) => path)
  const body: Json = {}
  for (const path of [...paths, conversation_key ?? 'body']) {
    const keys = path.split('.').slice(1)
    const last = keys.pop()
    let place = body
    for (const key of keys) {
      const inner = place[key]
      place = place[key] = typeof inner === 'object' ? inner : {}
    }
    if (last !== undefined && typeof place[last] !== 'object') place[last] = `Example ${last}`
  }
  return JSON.stringify(body)
}

/** A command that signs a body and fires the trigger. It needs a POSIX shell, openssl and curl. */
export const curlCommand = (trigger: Pick<Trigger, 'id' | 'template' | 'conversation_key'>, secret: string): string =>
  `SECRET=${shellQuoted(secret)}
BODY=${shellQuoted(exampleBody(trigger))}
TIME=$(date +%s)
ID=evt_$(openssl rand -hex 8)
KEY=$(printf %s "\${SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
SIGNATURE=$(printf %s "$ID.$TIME.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | openssl base64 -A)

curl -sS ${shellQuoted(`${location.origin}/api/v1/triggers/${trigger.id}/fire`)} \\
  -H 'Content-Type: application/json' \\
  -H "webhook-id: $ID" -H "webhook-timestamp: $TIME" -H "webhook-signature: v1,$SIGNATURE" \\
  --data-binary "$BODY"`
