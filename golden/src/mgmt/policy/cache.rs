//! The cache that asks a policy.

use serde::{Deserialize, Serialize};

use super::{Core, Decision, Ended, Lines, Policy, Request};
use crate::llc::cache::{AccessError, Geometry, KernelCounts};
use crate::mgmt::MAX_APPLICATIONS;
use crate::model::ParamError;

/// What one access did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The set, counted over all banks.
    pub set: usize,
    /// The way that was hit or filled; `None` if the access bypassed the cache.
    pub way: Option<usize>,
    /// The tag was found.
    pub hit: bool,
    /// The owner of the line that was evicted.
    pub evicted: Option<usize>,
}

/// A period: what happened in it and what held in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Period {
    /// Accesses, hits and misses of each application.
    pub kernels: Vec<KernelCounts>,
    /// What held, decided at the end of the period before.
    #[serde(flatten)]
    pub decision: Decision,
}

/// A cache of applications, 0 to `kernels - 1`, whose replacement is a [`Policy`]'s.
///
/// Memory is that of its lines and of its policy, whatever the number of accesses.
#[derive(Debug)]
pub struct SharedCache {
    geometry: Geometry,
    policy: Box<dyn Policy>,
    /// By set and way.
    tags: Vec<u64>,
    /// By set and way.
    owners: Vec<u8>,
    /// By set, one bit per way.
    valid: Vec<u64>,
    /// Since the cache was made.
    total: Vec<KernelCounts>,
    /// In the period.
    running: Vec<KernelCounts>,
}

impl SharedCache {
    /// An empty cache; the policy must have been made for this geometry.
    ///
    /// # Errors
    /// [`ParamError`] when the geometry is illegal, or has more than [`MAX_APPLICATIONS`] kernels.
    pub fn new(geometry: Geometry, policy: Box<dyn Policy>) -> Result<Self, ParamError> {
        check(&geometry)?;
        let lines = geometry.sets * geometry.ways;
        let counts = no_counts(geometry.kernels);
        Ok(Self {
            geometry,
            policy,
            tags: vec![0; lines],
            owners: vec![0; lines],
            valid: vec![0; geometry.sets],
            total: counts.clone(),
            running: counts,
        })
    }

    /// The cache's dimensions.
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// One access of an application to a byte address.
    ///
    /// # Errors
    /// [`AccessError`] when there is no such application; nothing has changed then.
    pub fn access(&mut self, app: u8, address: u64) -> Result<Outcome, AccessError> {
        self.access_by(Core::Follower, app, address)
    }

    /// The same by a core that may be sampled.
    ///
    /// # Errors
    /// As [`access`](Self::access).
    pub fn access_by(&mut self, core: Core, app: u8, address: u64) -> Result<Outcome, AccessError> {
        let Geometry { ways, kernels, .. } = self.geometry;
        if usize::from(app) >= kernels {
            let kernel = app;
            return Err(AccessError::UnknownKernel { kernel, kernels });
        }
        let set = self.geometry.set_of(address);
        let request = Request {
            app: app.into(),
            set,
            tag: self.geometry.tag_of(address),
            core,
        };
        let here = set * ways..(set + 1) * ways;
        let tags = &mut self.tags[here.clone()];
        let owners = &mut self.owners[here];
        let valid = &mut self.valid[set];
        let lines = Lines {
            owner: owners,
            valid: *valid,
        };
        self.policy.observe(&request);
        let found = (0..ways).find(|&way| lines.is_valid(way) && tags[way] == request.tag);
        let (way, evicted) = match found {
            Some(way) => {
                self.policy.hit(&request, &lines, way);
                (Some(way), None)
            }
            None => {
                let way = self.policy.miss(&request, &lines);
                let replaced = way.filter(|&way| lines.is_valid(way));
                (way, replaced.map(|way| usize::from(owners[way])))
            }
        };
        if let Some(way) = way {
            (tags[way], owners[way]) = (request.tag, app);
            *valid |= 1 << way;
        }
        for counts in [&mut self.total, &mut self.running] {
            let counts = &mut counts[usize::from(app)];
            counts.accesses += 1;
            counts.hits += u64::from(found.is_some());
            counts.misses += u64::from(found.is_none());
        }
        Ok(Outcome {
            set,
            way,
            hit: found.is_some(),
            evicted,
        })
    }

    /// Ends a period; `caching_helps` as in [`Ended`].
    pub fn end_period(&mut self, caching_helps: Option<bool>) -> Period {
        let decision = self.policy.decision();
        self.policy.end_period(&Ended {
            kernels: &self.running,
            caching_helps,
        });
        let none = no_counts(self.geometry.kernels);
        Period {
            kernels: std::mem::replace(&mut self.running, none),
            decision,
        }
    }

    /// Accesses, hits and misses of each application since the cache was made.
    pub fn counts(&self) -> &[KernelCounts] {
        &self.total
    }

    /// What the policy has decided, which holds now.
    pub fn decision(&self) -> Decision {
        self.policy.decision()
    }

    /// Valid lines that each application owns now.
    pub fn occupancy(&self) -> Vec<u64> {
        let mut owned = vec![0; self.geometry.kernels];
        let sets = self.owners.chunks(self.geometry.ways).zip(&self.valid);
        for (owners, valid) in sets {
            for (way, &owner) in owners.iter().enumerate() {
                owned[usize::from(owner)] += valid >> way & 1;
            }
        }
        owned
    }
}

/// Whether there are policies for a cache.
pub(super) fn check(geometry: &Geometry) -> Result<(), ParamError> {
    geometry.check()?;
    let kernels = geometry.kernels as u64;
    ParamError::range("kernels", kernels, 1, MAX_APPLICATIONS as u64)
}

fn no_counts(kernels: usize) -> Vec<KernelCounts> {
    let kernel = |kid| KernelCounts {
        kid: kid as u8,
        ..KernelCounts::default()
    };
    (0..kernels).map(kernel).collect()
}
