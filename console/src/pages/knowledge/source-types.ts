import type { Schemas } from '@parley/client'
import { FileUp, FolderTree, Globe, type LucideIcon, TextQuote } from 'lucide-react'
import type { Tone } from '../../ui/page.tsx'

export type Source = Schemas['KnowledgeSource']
export type Document = Schemas['KnowledgeDocument']
export type Sync = Schemas['KnowledgeSync']
export type Configuration = NonNullable<Source['configuration']>
export type SourceType = Source['type']

/** The source types. */
export const sourceTypes: Record<SourceType, { label: string; icon: LucideIcon; text: string }> = {
  file: { label: 'Files', icon: FileUp, text: 'Upload PDF, Word, Excel, Markdown, mails, scans and more.' },
  text: { label: 'Text', icon: TextQuote, text: 'Write or paste text.' },
  web: { label: 'Website', icon: Globe, text: 'Crawl a website and sync it on demand.' },
  directory: { label: 'Folder', icon: FolderTree, text: 'Read a folder on the server.' },
}

export const sourceTones: Record<Source['status'], Tone> = {
  pending: 'plain',
  syncing: 'warn',
  active: 'good',
  error: 'bad',
}
export const documentTones: Record<Document['status'], Tone> = { pending: 'warn', indexed: 'good', failed: 'bad' }
export const syncTones: Record<Sync['status'], Tone> = { running: 'warn', completed: 'good', failed: 'bad' }
