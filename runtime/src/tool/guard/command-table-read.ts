/**
 * Programs that read files. Those of the first list have no option that writes or starts anything; the others read
 * with the options listed here.
 */
import type { CommandClass } from '../../protocol/command.ts'
import { ANY, all, type CommandCall, type CommandExamples, type CommandTable, option } from './command-row.ts'
import { hasOption, partWords, type Spelling } from './options.ts'

const DIFF =
  'abBcdeEiInpqrstTuwNylU:C:x:X:I:F:W:L:# --brief --unified? --context? --recursive --new-file --ignore-case --side-by-side --suppress-common-lines --width= --exclude= --exclude-from= --label= --strip-trailing-cr --text --minimal --report-identical-files --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-trailing-space --ignore-matching-lines= --no-dereference --color? --normal --expand-tabs'
const GREP =
  'abcEFGhHiIlLnoPqrRsTUvVwxyzZA:B:C:e:f:m:d:D:# --color? --colour? --count --ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp --files-with-matches --files-without-match --only-matching --quiet --silent --no-messages --line-number --with-filename --no-filename --byte-offset --null --null-data --text --recursive --dereference-recursive --include= --exclude= --exclude-dir= --exclude-from= --extended-regexp --fixed-strings --basic-regexp --perl-regexp --regexp= --file= --max-count= --after-context= --before-context= --context= --binary-files= --label= --line-buffered --initial-tab --directories= --devices='
const RG =
  '0abcFhHiIlLnNopPqsSuUvVwx.A:B:C:e:f:g:m:M:t:T:j:E:r:d: --hidden --no-ignore --no-ignore-vcs --files --files-with-matches --files-without-match --count --count-matches --glob= --iglob= --type= --type-not= --type-list --type-add= --multiline --multiline-dotall --json --vimgrep --line-number --no-line-number --column --heading --no-heading --color= --colors= --context= --after-context= --before-context= --max-count= --max-depth= --maxdepth= --max-columns= --max-filesize= --smart-case --ignore-case --case-sensitive --fixed-strings --word-regexp --line-regexp --invert-match --only-matching --replace= --passthru --pcre2 --sort= --sortr= --stats --trim --with-filename --no-filename --follow --no-messages --no-config --null --null-data --text --unrestricted --threads= --regexp= --file= --ignore-file= --crlf --encoding= --byte-offset --pretty --binary'
const FIND =
  'HLPED:O: -name= -iname= -path= -ipath= -wholename= -iwholename= -regex= -iregex= -regextype= -type= -xtype= -size= -mtime= -mmin= -atime= -amin= -ctime= -cmin= -newer= -anewer= -cnewer= -newermt= -newerct= -maxdepth= -mindepth= -empty -print -print0 -printf= -ls -prune -quit -not -o -or -a -and -perm= -user= -group= -uid= -gid= -nouser -nogroup -readable -writable -executable -links= -inum= -samefile= -lname= -ilname= -mount -xdev -depth -daystart -follow -true -false -fstype='
const FD =
  'HIuasigFtLlp01qd:e:t:E:S:o:c:j: --hidden --no-ignore --no-ignore-vcs --type= --extension= --exclude= --max-depth= --min-depth= --exact-depth= --glob --regex --fixed-strings --full-path --follow --absolute-path --case-sensitive --ignore-case --size= --changed-within= --changed-before= --owner= --color= --print0 --max-results= --unrestricted --search-path= --base-directory= --strip-cwd-prefix --threads='
const NM =
  'aACDgnoprPSsuft: --demangle? --no-demangle --defined-only --undefined-only --extern-only --dynamic --print-size --size-sort --numeric-sort --no-sort --reverse-sort --print-file-name --format= --radix='
const UNPACK = 'cdfkltqvn#S:T: --stdout --to-stdout --decompress --uncompress --list --test --keep --force --verbose'

/** More options can be in a file. */
const responses = { words: [{ word: /^@/, is: 'unknown' as const }] }

export const READ_TABLE: CommandTable = {
  ...all(
    'cat tac nl head tail wc cut paste join comm tr fold expand unexpand column cmp basename dirname realpath readlink pwd ls dir vdir exa eza lsd stat du df md5 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum od hexdump hd rev seq echo printf true false test [ : expr numfmt factor tsort jq',
    { is: 'read', pure: true },
  ),
  ...all(
    'cd pushd popd dirs export readonly local declare typeset set unset shift let return exit break continue wait read getopts umask ulimit shopt type hash caller times trap eval exec builtin command nice nohup timeout stdbuf setsid ionice taskset chrt busybox toybox xargs logout disown bg fg suspend help env',
    { is: 'read', allows: ANY },
  ),
  time: {
    is: 'read',
    options: [option('change', { long: 'output', letters: 'o', valued: 'f' })],
    allows: ANY,
  },
  ...all('mapfile readarray', { is: 'read', allows: 'tn:O:s:u:d:' }),
  jobs: { is: 'read', allows: 'lnprs' },
  ...all(
    'sleep cal arch nproc uname whoami id groups who w users uptime tty locale getconf tput clear which whereis ps pgrep pidof pstree netstat free vmstat iostat mpstat lscpu lsblk lsusb lspci lsmod top',
    { is: 'read', allows: ANY },
  ),
  date: {
    is: 'read',
    words: [{ word: /^\d/, is: 'system' }],
    allows: 'uRjr:d:f:v:I? --date= --iso-8601? --rfc-3339= --rfc-email --utc --universal --reference= --file= --debug',
  },
  lsof: { is: 'read', allows: 'abClnNoOPRtUVXi?p:u:c:d:g?s?T?' },
  ss: { is: 'read', allows: 'aeHhilmnoprstuwx046Q --tcp --udp --listening --numeric --processes --all --summary' },
  printenv: { is: 'read', allows: '0', words: [{ word: /token|secret|passw|key|credential/i, is: 'credentials' }] },
  hostname: {
    is: 'read',
    allows: 'adfiIsyAn',
    check: ({ args }) => (args.some((arg) => !arg.startsWith('-')) ? 'system' : 'read'),
  },

  ...all('diff colordiff', { is: 'read', allows: DIFF }),
  diff3: { is: 'read', allows: 'aeEimTxX3AL:' },
  sdiff: {
    is: 'read',
    options: [option('change', { long: 'output', letters: 'o', valued: 'wI' })],
    allows: 'abBdEHilstWw:I: --width= --suppress-common-lines --ignore-case --ignore-all-space --text',
  },
  ...all('base64 base32', { is: 'read', allows: 'dDiw:b: --decode --ignore-garbage --wrap= --break= --input=' }),
  fmt: { is: 'read', allows: 'cstuw:p:g:# --width= --prefix= --goal= --split-only --uniform-spacing' },
  strings: { is: 'read', allows: 'adfn:t:e:# --all --print-file-name --bytes= --radix= --encoding=', ...responses },
  ...all('grep egrep fgrep zgrep zipgrep', { is: 'read', allows: GREP }),
  ...all('zcat bzcat xzcat zstdcat', { is: 'read', allows: 'fqv --force' }),
  gron: { is: 'read', allows: 'usmc --ungron --stream --monochrome --colorize --values' },
  iconv: { is: 'read', allows: 'lcsf:t: --from-code= --to-code= --list --silent' },
  csvlook: { is: 'read', allows: 'tHSld:q:e: --delimiter= --tabs --no-header-row --max-rows= --max-columns=' },
  htmlq: { is: 'read', allows: 'tpwBa:f:b:r: --text --pretty --ignore-whitespace --attribute= --filename=' },
  hexyl: { is: 'read', allows: 'CPn:s:b:o:c: --length= --skip= --block-size= --no-squeezing --color= --plain' },
  // Other names are programs and formats that can write.
  identify: { is: 'read', words: [{ word: /^[|@]|:/, is: 'unknown' }], allows: '-format= -verbose -ping -quiet' },
  ffprobe: {
    is: 'read',
    allows:
      '-v= -loglevel= -show_format -show_streams -show_entries= -show_frames -show_packets -show_chapters -of= -print_format= -select_streams= -hide_banner -i= -pretty -sexagesimal -count_frames -count_packets',
  },
  exiftool: { is: 'read', allows: 'jGsSanr# -json -csv -fast' },
  pdftotext: {
    is: 'read',
    most: 1,
    allows: '-f= -l= -r= -x= -y= -W= -H= -layout -raw -nopgbrk -q -enc= -bbox -fixed=',
  },
  pdfinfo: { is: 'read', allows: '-f= -l= -box -meta -struct -isodates -rawdates -enc=' },
  tldr: { is: 'read', allows: 'lp:L: --list --platform= --language=' },
  nm: { is: 'read', allows: NM, ...responses },
  objdump: {
    is: 'read',
    allows:
      'adDfghHprRsStTxCwzlj:M: --demangle? --disassemble? --disassemble-all --source --syms --dynamic-syms --private-headers --all-headers --file-headers --section-headers --full-contents --section= --no-show-raw-insn --line-numbers --reloc',
    ...responses,
  },
  readelf: {
    is: 'read',
    allows:
      'aAcCdeghIlnrsStuVWx:p:R: --all --headers --file-header --sections --section-headers --segments --program-headers --symbols --syms --dyn-syms --dynamic --notes --relocs --wide --string-dump= --hex-dump= --version-info',
    ...responses,
  },
  size: { is: 'read', allows: 'ABGdoxt --format= --totals --common', ...responses },
  zipinfo: { is: 'read', allows: '12smlvhtTzCM' },
  javap: {
    is: 'read',
    allows:
      'clpsv -public -protected -package -private -constants -sysinfo -verbose -cp= -classpath= --class-path= -version',
    ...responses,
  },
  cloc: {
    is: 'read',
    allows:
      '--by-file --by-file-by-lang --json --csv --yaml --md --quiet --git --hide-rate --sum-one --skip-uniqueness --fullpath --exclude-dir= --exclude-lang= --include-lang= --exclude-ext= --include-ext= --timeout= --processes= --no-recurse',
  },
  tokei: {
    is: 'read',
    allows:
      'fCe:t:s:o:c:n: --files --exclude= --type= --types= --sort= --output= --compact --hidden --no-ignore --columns=',
  },
  scc: {
    is: 'read',
    allows:
      'cadf:i:M:s:wx: --by-file --format= --no-complexity --no-cocomo --include-ext= --exclude-dir= --exclude-ext= --sort= --wide',
  },
  pygmentize: { is: 'read', allows: 'l:f:gN:' },

  file: {
    is: 'read',
    options: [option('change', { long: 'compile', letters: 'C', valued: 'fmFP' })],
    allows:
      'bEhiIkLlNnprsv0F:f:m:P:e: --brief --mime --mime-type --mime-encoding --dereference --no-dereference --separator= --keep-going --no-pad --raw --extension --exclude=',
  },
  tree: {
    is: 'read',
    options: [option('change', { letters: 'o', valued: 'LPIHT' })],
    allows:
      'aAdDfFgGhilnNpqrsStuUvxXJQCcL:P:I: --dirsfirst --filesfirst --noreport --prune --du --si --charset= --filelimit= --gitignore --ignore-case --matchdirs --sort? --timefmt= --inodes --nolinks --fromfile',
  },
  sort: {
    is: 'read',
    options: [
      option('change', { long: 'output', letters: 'o', valued: 'kStT' }),
      option('run-programs', { long: 'compress-program' }),
    ],
    allows:
      'bcCdfghiMnRruVzmsk:t:S:T: --reverse --unique --numeric-sort --general-numeric-sort --human-numeric-sort --version-sort --ignore-case --key= --field-separator= --check? --merge --stable --zero-terminated --random-sort --random-source= --month-sort --dictionary-order --ignore-leading-blanks --ignore-nonprinting --parallel= --buffer-size= --temporary-directory= --files0-from= --debug --sort=',
  },
  shuf: {
    is: 'read',
    options: [option('change', { long: 'output', letters: 'o', valued: 'ien' })],
    allows: 'erzi:n: --echo --input-range= --head-count= --random-source= --repeat --zero-terminated',
  },
  uniq: {
    is: 'read',
    check: ({ args }) => writesSecond(args, { long: 'skip-fields skip-chars check-chars', letters: 'fsw' }),
    allows:
      'cdDiuzf:s:w: --count --repeated --all-repeated? --ignore-case --unique --skip-fields= --skip-chars= --check-chars= --zero-terminated --group?',
  },
  xxd: { is: 'read', check: ({ args }) => writesSecond(args, { letters: 'lscog' }), allows: 'abCdeEiprPuc:g:l:s:o:n:' },
  ...all('less more most', {
    is: 'read',
    options: [option('change', { long: 'log-file LOG-FILE', letters: 'oO', valued: 'bhjkpPtTxyz' })],
    words: [{ word: /^\+/, is: 'unknown' }],
    allows:
      'EeFfGgiIJKLmMnNqQrRsSuUwWXcd#b:h:j:p:P:x:y:z: --RAW-CONTROL-CHARS --raw-control-chars --chop-long-lines --no-init --quit-if-one-screen --quit-at-eof --LINE-NUMBERS --line-numbers --ignore-case --IGNORE-CASE --squeeze-blank-lines',
  }),
  man: {
    is: 'read',
    options: [option('run-programs', { long: 'pager html', letters: 'PH', valued: 'emprsCELMRST' })],
    allows: 'afkwWlS:s:e: --where --path --all --apropos --whatis --sections= --local-file',
  },
  ...all('bat batcat', {
    is: 'read',
    options: [option('run-programs', { long: 'pager' })],
    words: [{ word: /^cache$/, is: 'change' }],
    allows:
      'AdfnpPSul:H:r:m: --style= --language= --line-range= --plain --number --paging= --color= --theme= --decorations= --show-all --wrap= --tabs= --highlight-line= --list-languages --list-themes --file-name= --squeeze-blank --diff',
  }),
  yq: {
    is: 'read',
    options: [option('change', { long: 'inplace', letters: 'i', valued: 'opPI' })],
    allows:
      'CeMNnPrjyYxSo:p:I: --prettyPrint --output-format= --input-format= --unwrapScalar? --no-colors --colors --exit-status --null-input --no-doc --indent= --raw-output --yaml-output --tojson',
  },
  xmllint: {
    is: 'read',
    options: [option('change', { long: 'output', letters: 'o' })],
    allows:
      '--noout --format --xpath= --valid --schema= --dtdvalid= --relaxng= --noent --nonet --html --recover --huge --encode= --c14n --pretty= --nowarning --noblanks --dropdtd --stream',
  },
  rg: { is: 'read', options: [option('run-programs', { long: 'pre hostname-bin', not: 'pretty' })], allows: RG },
  ...all('ag ack', {
    is: 'read',
    options: [option('run-programs', { long: 'pager' })],
    allows:
      'acgiHhLlnQSsuvwfA:B:C:m:G: --hidden --literal --ignore-case --smart-case --word-regexp --files-with-matches --count --context= --after= --before= --nocolor --nogroup --noheading --max-count= --depth= --ignore= --ignore-dir= --type= --stats --follow',
  }),
  ...all('fd fdfind', {
    is: 'read',
    allows: FD,
    own: (args) => args.slice(0, endOf(args, /^(-[xX]|--exec|--exec-batch)$/)),
  }),
  find: {
    is: 'read',
    words: [
      { word: /^-delete$/, is: 'lose-work' },
      { word: /^-(fprint0?|fprintf|fls)$/, is: 'change' },
    ],
    allows: FIND,
    own: withoutStarted,
  },
  ...all('gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd', { is: 'change', check: unpacks, allows: UNPACK }),
}

export const READ_EXAMPLES: CommandExamples = {
  read: [
    'sort -u a.txt',
    'find . -name a.ts',
    'find . -size +100k -exec ls -lh {} +',
    'grep -rnE -A3 --include=*.ts a src',
    'diff -U3 a b',
    'ls -la --color=auto',
    'pdftotext a.pdf -',
    'gzip -cd a.gz',
    'iconv -f latin1 -t utf-8 a',
  ],
  change: ['sort -o a a', 'uniq a b', 'yq -i .a=1 a'],
  unknown: [
    'iconv -o a b',
    'zstdcat -o a b',
    'diff3 --diff-program=x a b c',
    'pdftotext a.pdf b',
    'exiftool -all= a',
    'cloc --out=a b',
    'pygmentize -x -l x.py:A a',
    'tree -R -H . -L 1',
    'less -k a b',
    'identify ephemeral:a',
    'nm @a',
    'jobs -x rm a',
    'find . -unlisted',
  ],
  'lose-work': ['find . -delete'],
  'run-programs': ['sort --compress-program=x a', 'rg --pre x a'],
  credentials: ['printenv NPM_TOKEN'],
  system: ['date 01010000'],
}

function writesSecond(args: readonly string[], takes: Spelling): CommandClass {
  return partWords(args, takes).words.length > 1 ? 'change' : 'read'
}

function endOf(args: readonly string[], word: RegExp): number {
  const at = args.findIndex((arg) => word.test(arg))
  return at < 0 ? args.length : at
}

/** The command that find starts is judged for itself. */
function withoutStarted(args: readonly string[]): string[] {
  const at = endOf(args, /^-(exec|execdir|ok|okdir)$/)
  if (at === args.length) return [...args]
  const rest = args.slice(at)
  return [...args.slice(0, at), ...withoutStarted(rest.slice(endOf(rest, /^[;+]$/) + 1))]
}

function unpacks({ args }: CommandCall): CommandClass {
  const prints: Spelling = { long: 'stdout to-stdout list test', letters: 'clt', valued: 'SbT' }
  return hasOption(args, prints) ? 'read' : 'change'
}
