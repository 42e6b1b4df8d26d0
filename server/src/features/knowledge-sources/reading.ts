import type { Settings } from '@parley/documents'
import type { SourceRow } from './store.ts'

type Configured = Pick<SourceRow, 'configuration'>

/** The settings of a source that change the text of its documents. */
export const readingSettings = ({ configuration: { include_hidden, ocr_languages } }: Configured): Settings => ({
  ...(include_hidden && { hiddenSheets: true }),
  ...(ocr_languages?.length && { ocrLanguages: ocr_languages }),
})

/** How the parser reads the documents of a source. */
export const readingOptions = (workspace: string, source: Configured) => ({
  key: workspace,
  settings: { ...readingSettings(source), attachments: true },
})
