/** The folders of a file and its name, all chosen by the service. */
export type FilePath = readonly string[]

export interface StoredFile {
  path: FilePath
  /** When it was stored (ms). */
  changedAt: number
}

/** A completely received file that is not yet at its final path. */
export interface ReceivedFile {
  path: string
  size: number
  sha256: string
}

/** A folder on the local disk for files that are being received. */
export interface Spool {
  /**
   * Streams content to the disk. If the stream fails or exceeds the limit, the file is deleted. A `temporary` file is not
   * flushed, as it need not survive a power failure.
   */
  receive(content: AsyncIterable<Uint8Array>, maxBytes: number, more?: { temporary?: boolean }): Promise<ReceivedFile>
  /** Removes a received file, unless it was kept. */
  discard(file: ReceivedFile): Promise<void>
  /** Removes received files that a crash left behind before this time. */
  sweep(before: number): Promise<void>
}

/**
 * Where files are stored. A file is received completely on the local disk and then stored under its final path, so a file
 * at its final path is always complete.
 */
export interface Files extends Spool {
  engine: 'folder' | 's3'
  /** Stores a received file under its final path, durably. May be repeated with another path. */
  keep(file: ReceivedFile, path: FilePath): Promise<void>
  /** Streams the content. Throws `FileMissing` if there is no such file. */
  read(path: FilePath): Promise<AsyncIterable<Uint8Array>>
  /** Gives the path of a file on the local disk, for the time of `use`. Throws `FileMissing` if there is no such file. */
  withLocal<T>(path: FilePath, use: (localPath: string) => Promise<T>): Promise<T>
  remove(...paths: FilePath[]): Promise<void>
  /** Removes all files in a folder. */
  removeAll(folder: FilePath): Promise<void>
  /** Lists files and, recursively, folders in a folder whose names have a prefix, one folder after the other. */
  list(folder: FilePath, startingWith?: string): AsyncIterable<StoredFile>
  /** Fails if files cannot be stored now. */
  ping(): Promise<void>
  close(): void
}

export class FileTooLarge extends Error {}

export class FileMissing extends Error {}
