import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from './button.tsx'
import { Highlighted } from './markdown/highlight.tsx'
import { showError } from './toasts.tsx'

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      setTimeout(() => setCopied(false), 1500)
    } catch {
      showError(new Error('Your browser blocked copying. Select the text and copy it manually.'))
    }
  }
  return <IconButton icon={copied ? Check : Copy} label={copied ? 'Copied' : label} onClick={() => void copy()} />
}

interface CodeBlockProps {
  text: string
  label?: string
  /** Shown above the code, and the language it is highlighted in. */
  language?: string | undefined
}

export const CodeBlock = ({ text, label = 'Code', language }: CodeBlockProps) => (
  <div className="code-block">
    {language && <span className="code-language">{language}</span>}
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
    <section tabIndex={0} aria-label={language ? `Code in ${language}` : label}>
      <pre>{language ? <Highlighted text={text} language={language} /> : text}</pre>
    </section>
    <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
  </div>
)

export const json = (value: unknown): string => JSON.stringify(value, null, 2) ?? ''

/** Formats JSON; returns any other text unchanged. */
export const prettyJson = (text: string): string => {
  try {
    return json(JSON.parse(text))
  } catch {
    return text
  }
}
