import { readFileSync } from 'node:fs'

/**
 * Whether our own kernels are the faster way here: on ARM processors that multiply bytes (`asimddp`), as long as they
 * have no instructions for whole matrices (`i8mm`), which ONNX Runtime uses.
 */
export function prefersOwnKernels(arch: string = process.arch, features: string[] = processorFeatures()): boolean {
  return arch === 'arm64' && features.includes('asimddp') && !features.includes('i8mm')
}

/** As Linux names them; nothing elsewhere. */
function processorFeatures(): string[] {
  try {
    return /^Features\s*:\s*(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1]?.split(' ') ?? []
  } catch {
    return []
  }
}
