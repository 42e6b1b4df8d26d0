import type { Schemas } from '@parley/client'
import { FileUp, FolderTree, Globe, type LucideIcon, TextQuote } from 'lucide-react'
import type { Tone } from '../../ui/page.tsx'

export type Source = Schemas['KnowledgeSource']
export type Document = Schemas['KnowledgeDocument']
export type Sync = Schemas['KnowledgeSync']
export type Configuration = NonNullable<Source['configuration']>
export type Kind = Source['type']

/** Where documents come from, in the words of the console. */
export const kinds: Record<Kind, { label: string; icon: LucideIcon; text: string }> = {
  file: { label: 'Files', icon: FileUp, text: 'Upload PDF, Word, Excel, Markdown, HTML and more.' },
  text: { label: 'Texts', icon: TextQuote, text: 'Write or paste texts, each with a title.' },
  web: { label: 'Web site', icon: Globe, text: 'Read the pages of a site, and again when asked.' },
  directory: { label: 'Folder', icon: FolderTree, text: 'Read a folder on the server that the operator allows.' },
}

export const sourceTones: Record<Source['status'], Tone> = {
  pending: 'plain',
  syncing: 'warn',
  active: 'good',
  error: 'bad',
}
export const documentTones: Record<Document['status'], Tone> = { pending: 'warn', indexed: 'good', failed: 'bad' }
export const syncTones: Record<Sync['status'], Tone> = { running: 'warn', completed: 'good', failed: 'bad' }
