/**
 * Ends everything a program started. A program can leave its process group, session and environment, but not its
 * ancestors: a small parent process adopts every orphan below it (a Linux "subreaper") and ends them when the program
 * has ended. Node cannot request this from the kernel; Perl, which nearly every Linux system has, can.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

interface Started {
  file: string
  args: readonly string[]
}

interface ProcessOptions {
  cwd: string
  env: Readonly<Record<string, string>>
}

const PERL = ['/usr/bin/perl', '/bin/perl'].find((path) => existsSync(path))
const BASH = ['/bin/bash', '/usr/bin/bash'].find((path) => existsSync(path))

/** A plain `sh` cannot close descriptors above 9. */
const CLOSING: readonly string[] | undefined =
  BASH !== undefined
    ? [
        BASH,
        '-c',
        `for f in /dev/fd/*; do n=\${f##*/}; case $n in [012] | *[!0-9]*) ;; *) eval "exec $n>&-" ;; esac; done; exec -- "$@"`,
        'bash',
      ]
    : PERL !== undefined
      ? [
          PERL,
          '-MPOSIX=',
          '-e',
          'opendir D, "/dev/fd"; POSIX::close($_) for grep { /^\\d+$/ && $_ > 2 } readdir D; exec { $ARGV[0] } @ARGV; exit 127',
        ]
      : undefined

/**
 * The same program without the inherited file descriptors, except the first three: an open folder among them would lead
 * out of the sandbox. Node passes them on and cannot close them.
 */
export function withoutInherited({ file, args }: Started, place: ProcessOptions): Started {
  const [closing, ...first] = CLOSING ?? []
  return closing === undefined || !isFound(file, place)
    ? { file, args }
    : { file: closing, args: [...first, file, ...args] }
}
/** Number of the system call `prctl`. */
const PRCTL: Partial<Record<NodeJS.Architecture, number>> = {
  x64: 157,
  arm64: 167,
  riscv64: 167,
  loong64: 167,
  arm: 172,
  ia32: 172,
  s390x: 172,
  ppc64: 171,
}

const SCRIPT = `
my $prctl = shift @ARGV;
syscall($prctl, 36, 1, 0, 0, 0);
my $main = fork;
exit 126 unless defined $main;
if ($main == 0) { exec { $ARGV[0] } @ARGV; print STDERR "$ARGV[0]: $!\\n"; exit 127 }
$SIG{$_} = sub {} for qw(TERM INT HUP QUIT USR1 USR2 PIPE);
my $status = 0;
while (1) {
  my $pid = wait;
  if ($pid == $main) { $status = $?; last }
  last if $pid == -1 && $! + 0 != 4;
}
while (1) {
  opendir(my $proc, "/proc") or last;
  for my $pid (grep { /^\\d+$/ } readdir $proc) {
    open(my $file, "<", "/proc/$pid/stat") or next;
    my $line = <$file>;
    kill "KILL", $pid if defined $line && $line =~ /^.*\\) \\S (\\d+) /s && $1 == $$;
  }
  my $pid;
  do { $pid = waitpid(-1, 1) } while $pid > 0;
  last if $pid == -1;
  select(undef, undef, undef, 0.005);
}
if ($status & 127) { $SIG{$_} = "DEFAULT" for qw(TERM INT HUP QUIT USR1 USR2 PIPE); kill $status & 127, $$; sleep 1 }
exit($status >> 8);
`

/** The same program under such a parent; unchanged when that is impossible, or when the program does not exist. */
export function supervised({ file, args }: Started, place: ProcessOptions): Started {
  const call = PRCTL[process.arch]
  if (process.platform !== 'linux' || PERL === undefined || call === undefined || !isFound(file, place))
    return { file, args }
  return { file: PERL, args: ['-e', SCRIPT, String(call), file, ...args] }
}

/** A missing program fails with its own error. */
function isFound(file: string, { cwd, env: { PATH = '' } }: ProcessOptions): boolean {
  const places = file.includes('/') ? [resolve(cwd, file)] : PATH.split(delimiter).map((folder) => join(folder, file))
  return places.some((place) => existsSync(place))
}

/** All processes below one, parents before their children. */
export function descendants(root: number): number[] {
  const children = new Map<number, number[]>()
  for (const [pid, parent] of parents()) children.set(parent, [...(children.get(parent) ?? []), pid])
  const found: number[] = []
  const pending = [...(children.get(root) ?? [])]
  for (let pid = pending.shift(); pid !== undefined; pid = pending.shift()) {
    found.push(pid)
    pending.push(...(children.get(pid) ?? []))
  }
  return found
}

function parents(): [number, number][] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid): [number, number][] => {
      try {
        // The process name in the middle may contain any characters.
        const parent = /^.*\) \S (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1]
        return parent === undefined ? [] : [[Number(pid), Number(parent)]]
      } catch {
        return []
      }
    })
}
