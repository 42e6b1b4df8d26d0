import type { Finding } from './evidence.ts'

/** Prints a Markdown table, and the violations below it. */
export function printFindings(findings: Finding[]): void {
  const print = (line: string) => process.stdout.write(`${line}\n`)
  print('\n| What must not happen | Checked | Found |\n| --- | ---: | ---: |')
  for (const { name, checked, faults } of findings) print(`| ${name} | ${checked} | ${faults.length} |`)
  for (const { name, faults } of findings) {
    if (faults.length > 0) print(`\n${name}:`)
    for (const fault of faults.slice(0, 20)) print(`- ${fault}`)
  }
}
