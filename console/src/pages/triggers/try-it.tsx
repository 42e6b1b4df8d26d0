import { useState } from 'react'
import { CodeBlock } from '../../ui/code.tsx'
import { SecretField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { curlCommand } from './curl.ts'
import type { Trigger } from './draft.ts'

/** A signed request to try the trigger. The secret stays in the page. */
export function TryIt({ trigger }: { trigger: Trigger }) {
  const [secret, setSecret] = useState('')
  return (
    <Card title="Send a webhook">
      <SecretField
        label="Secret"
        hint="Paste it to complete the command. It is not sent from here. If it is lost, rotate it."
        placeholder="whsec_…"
        value={secret}
        onChange={(text) => setSecret(text.trim())}
      />
      <CodeBlock label="curl" text={curlCommand(trigger, secret || 'whsec_…')} />
      <p className="muted small">
        It runs in a shell with openssl and curl. The body has a value for each path of the template. Each webhook-id
        starts one run, so a repeated request starts nothing.
      </p>
    </Card>
  )
}
