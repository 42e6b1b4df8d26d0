import { type LocalFile, sha256 } from './local-files.ts'

export interface RemoteDocument {
  id: string
  name: string
  sha256: string | null
  status: string
  error: string | null
}

export interface Plan {
  added: LocalFile[]
  changed: LocalFile[]
  unchanged: LocalFile[]
  /** Documents without a file. */
  gone: RemoteDocument[]
}

/** Compares a folder with the documents of a source, by name and content. */
export async function planSync(
  files: LocalFile[],
  documents: RemoteDocument[],
  onProgress: (done: number) => void,
): Promise<Plan> {
  const remote = new Map(documents.map((document) => [document.name, document]))
  const plan: Plan = { added: [], changed: [], unchanged: [], gone: [] }
  for (const [index, file] of files.entries()) {
    onProgress(index)
    const existing = remote.get(file.name)
    if (existing === undefined) plan.added.push(file)
    else if (existing.sha256 !== null && existing.sha256 === (await sha256(file.path))) plan.unchanged.push(file)
    else plan.changed.push(file)
  }
  const names = new Set(files.map(({ name }) => name))
  plan.gone = documents.filter(({ name }) => !names.has(name))
  return plan
}
