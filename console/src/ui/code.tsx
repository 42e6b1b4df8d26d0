import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from './button.tsx'
import { tellError } from './toasts.tsx'

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      setTimeout(() => setCopied(false), 1500)
    } catch {
      tellError(new Error('The browser does not let this page copy. Select the text and copy it yourself.'))
    }
  }
  return <IconButton icon={copied ? Check : Copy} label={copied ? 'Copied' : label} onClick={() => void copy()} />
}

export const CodeBlock = ({ text, label = 'Code' }: { text: string; label?: string }) => (
  <div className="code-block">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with the keyboard */}
    <section tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
    <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
  </div>
)

export const json = (value: unknown): string => JSON.stringify(value, null, 2) ?? ''
