//! Rationale: the batch script is for clusters that the project does not have. So the test starts one of
//! a single node, with the daemons of Debian's slurm-wlm and munge in a folder and as the user of the
//! test: an array of jobs is killed in its middle and submitted again, and must come to the bytes of a
//! run by itself. Where the daemons cannot be started, the test fails.

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::sweep::{journal, sweep, text, wait_for_lines, whole};

/// Its daemons end with it.
struct Cluster {
    folder: tempfile::TempDir,
    daemons: Vec<Child>,
}

impl Cluster {
    fn start() -> Self {
        let mut cluster = Self {
            folder: tempfile::tempdir().unwrap(),
            daemons: vec![],
        };
        let folder = cluster.folder.path().display().to_string();
        for name in ["spool", "state"] {
            std::fs::create_dir(cluster.at(name)).unwrap();
        }
        let user = cluster.say("id", &["-un"]);
        // Two at once, so that they differ.
        let ports = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
        let [controller, node] = ports.map(|port| port.local_addr().unwrap().port());
        // No cgroups, which a container has not; processes are found as each other's children.
        let settings = format!(
            "\
ClusterName=test
SlurmctldHost=localhost
SlurmctldPort={controller}
SlurmdPort={node}
SlurmUser={user}
SlurmdUser={user}
AuthInfo=socket={folder}/munge.sock
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0,defer
NodeName=localhost CPUs=2
PartitionName=all Nodes=localhost Default=YES
"
        );
        std::fs::write(cluster.at("slurm.conf"), settings).unwrap();
        cluster.say(
            "mungekey",
            &["--create", "--keyfile", &format!("{folder}/key")],
        );
        let own = |option: &str, name: &str| format!("--{option}={folder}/{name}");
        let files = [
            own("key-file", "key"),
            own("socket", "munge.sock"),
            own("pid-file", "munged.pid"),
            own("log-file", "munged.log"),
            own("seed-file", "seed"),
        ];
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        cluster.daemon(
            "munged",
            &[&["--foreground", "--force"], &files[..]].concat(),
        );
        cluster.wait("munge.sock", |cluster| cluster.at("munge.sock").exists());
        cluster.daemon("slurmctld", &["-D"]);
        cluster.daemon("slurmd", &["-D", "-N", "localhost"]);
        cluster.wait("an idle node", |cluster| {
            let state = cluster.command("sinfo", &["-h", "-o", "%T"]).output();
            state.unwrap().stdout == b"idle\n"
        });
        cluster
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Debian has the daemons where the PATH of users who are not root does not lead.
    fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let path = std::env::var("PATH").unwrap() + ":/usr/sbin";
        let mut command = Command::new(program);
        command.args(arguments).env("PATH", path);
        command.env("SLURM_CONF", self.at("slurm.conf"));
        command.current_dir(self.folder.path());
        command
    }

    fn daemon(&mut self, program: &str, arguments: &[&str]) {
        let log = std::fs::File::create(self.at(program).with_extension("out")).unwrap();
        let mut command = self.command(program, arguments);
        command.stdout(Stdio::null()).stderr(log);
        let started = command.spawn();
        let missing = format!("{program} does not start: run scripts/setup");
        self.daemons.push(started.expect(&missing));
    }

    /// What a program prints, without its end of line.
    fn say(&self, program: &str, arguments: &[&str]) -> String {
        let output = self.command(program, arguments).output();
        let output = output.unwrap_or_else(|error| panic!("{program}: {error}: run scripts/setup"));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{program} {arguments:?}: {errors}");
        String::from_utf8(output.stdout).unwrap().trim().into()
    }

    fn wait(&self, what: &str, is: impl Fn(&Self) -> bool) {
        let start = Instant::now();
        while !is(self) {
            let logs = ["munged.out", "slurmctld.out", "slurmd.out"].map(|log| text(&self.at(log)));
            let waited = start.elapsed() < Duration::from_secs(120);
            assert!(waited, "no {what}:\n{}", logs.join("\n"));
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn ended(&self) {
        self.wait("end of the jobs", |cluster| {
            cluster.say("squeue", &["-h"]).is_empty()
        });
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for daemon in self.daemons.iter_mut().rev() {
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

#[test]
fn an_array_of_jobs_that_is_killed_and_submitted_again_gives_the_same_bytes() {
    let cluster = Cluster::start();
    // A name that a shell would take apart.
    let folder = cluster.at("it's here");
    std::fs::create_dir(&folder).unwrap();
    let written = sweep(&["--slurm", "3"], &folder).output().unwrap();
    let said = String::from_utf8(written.stdout).unwrap();
    assert!(said.contains("sbatch out/sweep.sbatch"), "{said}");
    let script = folder.join("out/sweep.sbatch");
    let script = script.to_str().unwrap();
    let job = cluster.say("sbatch", &["--parsable", script]);
    // Two of three run.
    wait_for_lines(3, &folder);
    // Nobody handles this signal, so jobs end in the middle of a run. Slurm's exit code says that those
    // that wait, or have ended by then, did not get it.
    let mut killing = cluster.command("scancel", &["--full", "--signal=USR1", &job]);
    killing.output().unwrap();
    cluster.say("scancel", &[&job]);
    cluster.ended();
    let left = text(&journal(&folder)).lines().count();
    assert!(left < 26, "it was killed too late");
    cluster.say("sbatch", &[script]);
    cluster.ended();
    assert!(text(&journal(&folder)) == whole(), "other bytes");
}
