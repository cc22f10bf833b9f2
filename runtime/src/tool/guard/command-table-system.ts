/** Classes of programs that look at or change the machine, and of those that hold secrets. */
import { all, type CommandExamples, type CommandTable, option } from './command-row.ts'
import { hasOption } from './options.ts'

const LOOKUPS =
  'list, show, search, info, policy, depends, rdepends, showpkg, madison, provides, whatprovides, repolist, deps, desc, outdated, leaves, config, doctor, help, version, home, uses, cat, why, query'

export const SYSTEM_TABLE: CommandTable = {
  ...all('apt apt-get apt-cache aptitude brew yum dnf apk zypper snap flatpak port choco winget scoop', {
    is: 'read',
    verbs: { read: LOOKUPS },
    other: 'system',
    allows:
      'aAflinqvy1 --installed --upgradable --upgradeable --all-versions --names-only --cask --formula --versions --full --no-pager --recurse --tree --all --available --enabled --showduplicates --installed-size',
  }),
  dpkg: {
    is: 'system',
    check: ({ args }) =>
      hasOption(args.slice(0, 1), { long: 'list status listfiles search print-architecture', letters: 'lsLS' })
        ? 'read'
        : 'system',
    allows: 'lsLSp --list --status --listfiles --search --print-architecture --no-pager',
  },
  'dpkg-query': { is: 'read', allows: 'lsLSWpf: --list --show --status --listfiles --search --showformat= --no-pager' },
  rpm: {
    is: 'system',
    allows: 'qailcdRpfV --query --all --info --list --queryformat= --qf= --last --requires --provides --changelog',
    check: ({ args }) => (hasOption(args.slice(0, 1), { long: 'query', letters: 'q' }) ? 'read' : 'system'),
  },
  pacman: {
    is: 'system',
    allows: 'QSilsqkometn',
    check: ({ args }) => (/^-(Q|Ss|Si)/.test(args[0] ?? '') ? 'read' : 'system'),
  },
  systemctl: {
    is: 'read',
    verbs: {
      read: 'status, is-active, is-enabled, is-failed, list-units, list-unit-files, list-timers, list-sockets, show, cat, list-dependencies',
    },
    other: 'system',
    allows:
      'alqrn:t:p:o: --all --no-pager --failed --type= --state= --user --system --lines= --full --plain --no-legend --property= --value --output= --reverse',
  },
  journalctl: {
    is: 'read',
    options: [
      option('system', {
        long: 'vacuum-size vacuum-time vacuum-files rotate flush sync relinquish-var setup-keys update-catalog',
      }),
    ],
    allows:
      'aefkqrxNb?u:p:n:o:S:U:g:t: --unit= --since= --until= --lines= --no-pager --follow --priority= --output= --boot? --grep= --user --system --dmesg --reverse --catalog --all --utc --disk-usage --list-boots --no-hostname --identifier=',
  },
  // It decides what agents may do: an agent must not answer its own questions, or switch its hooks off.
  writ: {
    is: 'read',
    verbs: { read: 'trace, stats, replay, scan, gate, doctor, help, version' },
    other: 'system',
  },
  // An agent with its own settings: what it does is not judged here, and a flag can switch its hooks off.
  ...all('claude codex opencode gemini aider goose amp crush droid cursor-agent copilot qwen', {
    is: 'read',
    allows: '--version --help',
    check: ({ args }) => (args.length === 1 && /^--(version|help)$/.test(args[0] ?? '') ? 'read' : 'system'),
  }),
  dmesg: {
    is: 'read',
    options: [option('system', { long: 'clear read-clear console-off console-on console-level', letters: 'cCDEn' })],
    allows:
      'HTtxLkurwePl:f: --human --ctime --level= --facility= --follow --nopager --since= --until= --decode --kernel --userspace --reltime',
  },
  ...all('nvm fnm pyenv rbenv asdf mise volta goenv nodenv jenv sdk', {
    is: 'read',
    verbs: {
      read: 'current, list, ls, versions, version, which, where, whence, ls-remote, list-all, doctor, help',
      change: 'use, local, shell',
      'run-programs': 'exec, run, x',
    },
    other: 'system',
  }),
  direnv: { is: 'read', verbs: { read: 'status, version' }, other: 'run-programs' },
  ip: {
    is: 'read',
    allows: '460adhjloprs -brief -br -json -details -statistics -oneline -family= -pretty',
    words: [{ word: /^(add|del|delete|set|change|replace|flush|append|exec)$/, is: 'system' }],
  },
  ifconfig: { is: 'read', check: ({ args }) => (args.length > 1 ? 'system' : 'read') },
  ...all(
    'sudo su doas pkexec runuser chroot nsenter unshare mount umount fdisk parted mkswap swapon swapoff wipefs losetup shutdown reboot halt poweroff init crontab at batch systemd-run launchctl service insmod modprobe rmmod sysctl iptables ip6tables nft ufw firewall-cmd useradd userdel usermod adduser deluser groupadd groupdel groupmod passwd chpasswd chsh visudo hostnamectl timedatectl localectl loginctl update-alternatives ldconfig defaults diskutil scutil pmset networksetup setenforce chattr setcap killall killall5 renice update-rc.d chkconfig swapoff xattr csrutil spctl history fc',
    { is: 'system' },
  ),
  ...all('gpg gpg2', {
    is: 'credentials',
    allows: 'k --verify --list-keys --list-public-keys --fingerprint --with-colons --keyid-format= --no-tty --batch',
    check: ({ args }) =>
      args.some((arg) => /^--(verify|list-keys|list-public-keys|fingerprint|version)$/.test(arg)) &&
      !args.some((arg) => /secret|export|decrypt/.test(arg))
        ? 'read'
        : 'credentials',
  }),
  ...all(
    'pass op vault security secret-tool keyctl bw lpass aws-vault ssh-add ssh-agent ssh-copy-id kinit klist age sops chamber doppler infisical gopass keepassxc-cli wg certbot',
    { is: 'credentials' },
  ),
  'ssh-keygen': {
    is: 'credentials',
    allows: 'lE:f:',
    check: ({ args }) => (/^-l/.test(args[0] ?? '') ? 'read' : 'credentials'),
  },
  openssl: {
    is: 'credentials',
    allows:
      '-in= -noout -text -subject -issuer -dates -serial -fingerprint -enddate -startdate -checkend= -sha256 -sha1 -sha512 -md5 -hex -r -a -v -CAfile= -CApath= -untrusted= -ext= -modulus -pubkey -inform= -nameopt= -purpose -email -hash',
    check: ({ args }) =>
      /^(version|sha\d+|md5|dgst|x509|verify|ciphers)$/.test(args[0] ?? '') &&
      !args.includes('-out') &&
      !args.includes('-sign')
        ? 'read'
        : 'credentials',
  },
}

export const SYSTEM_EXAMPLES: CommandExamples = {
  unknown: [
    'nix-env --rollback',
    'rpm -q --pipe x a',
    'openssl dgst -engine x a',
    'ssh-keygen -l -D x',
    'journalctl --cursor-file=a',
  ],
  read: [
    'apt list --installed',
    'writ trace run_1',
    'brew info x',
    'systemctl status a',
    'dpkg -l',
    'nvm current',
    'openssl sha256 a',
    'ssh-keygen -lf a.pub',
    'journalctl -u a',
  ],
  system: [
    'writ hooks remove claude',
    'codex exec -c features.hooks=false hi',
    'claude -p hi',
    'sudo apt-get update',
    'apt-get install -y x',
    'brew install x',
    'systemctl restart a',
    'crontab -e',
    'useradd a',
    'iptables -F',
  ],
  credentials: [
    'gpg --export-secret-keys',
    'security find-generic-password -w',
    'vault read a',
    'ssh-keygen -t ed25519',
    'pass show a',
  ],
}
