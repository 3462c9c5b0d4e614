//! Compiles a plan to native code with Cranelift, one function per program.

use super::error::SimError;
use super::plan::{Plan, Step};
use super::words::{Run, Word, WordOp};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{types, AbiParam, InstBuilder, MemFlags, Value};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{default_libcall_names, FuncId, Linkage, Module};

/// Operations of a program from which on registers are allocated in a single pass.
///
/// The backtracking allocator takes quadratic time on long straight-line code: 10 s for the
/// `llc_monitor` of 16 ways and 8 kernels (19,420 operations), which a single pass compiles in
/// 0.3 s. The code of a single pass is up to 1.9 times slower; backtracking pays for itself after
/// millions of cycles only.
const SINGLE_PASS: usize = 4096;

/// Cranelift's name of the register allocator for programs of so many operations.
pub(super) fn allocator(operations: usize) -> &'static str {
    if operations < SINGLE_PASS {
        "backtracking"
    } else {
        "single_pass"
    }
}

/// A compiled program; its argument is the memory.
type Entry = unsafe extern "C" fn(*mut u64);

/// Functions in executable memory, which is freed along with this.
pub(super) struct Native {
    module: Option<Box<JITModule>>,
    entries: Vec<Entry>,
    /// Words of the memory that the functions access.
    words: usize,
}

impl std::fmt::Debug for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Native")
            .field("entries", &self.entries)
            .finish_non_exhaustive()
    }
}

// SAFETY: the module is only touched again by `drop`, with exclusive access;
// the code is immutable once finalized and works on its argument alone.
unsafe impl Send for Native {}
// SAFETY: as above.
unsafe impl Sync for Native {}

impl Drop for Native {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: `entries` cannot be called any more: they are private
            // and this owner is gone.
            unsafe { module.free_memory() }
        }
    }
}

impl Native {
    /// Compiles plans over a memory of this many words.
    ///
    /// # Errors
    /// [`SimError::Host`] if there is no code generator for this machine,
    /// [`SimError::Codegen`] if it refuses a program.
    pub fn new(plans: &[&Plan], words: usize) -> Result<Native, SimError> {
        let host = |reason: String| SimError::Host { reason };
        let mut flags = settings::builder();
        let longest = plans.iter().map(|plan| plan.words.len()).max();
        let options = [
            ("opt_level", "speed"),
            ("regalloc_algorithm", allocator(longest.unwrap_or(0))),
            ("enable_verifier", "false"),
            ("is_pic", "false"),
        ];
        for (name, value) in options {
            flags.set(name, value).map_err(|e| host(e.to_string()))?;
        }
        let isa = cranelift_native::builder()
            .map_err(|e| host(e.to_string()))?
            .finish(settings::Flags::new(flags))
            .map_err(|e| host(e.to_string()))?;
        if isa.pointer_bytes() != 8 {
            return Err(host("its pointers do not have 64 bits".into()));
        }
        let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let mut native = Native {
            module: None,
            entries: Vec::new(),
            words,
        };
        let functions: Result<Vec<FuncId>, SimError> = plans
            .iter()
            .enumerate()
            .map(|(i, plan)| function(&mut module, plan, &format!("program{i}")))
            .collect();
        let finalized = functions.and_then(|functions| {
            module
                .finalize_definitions()
                .map_err(|e| SimError::Codegen {
                    reason: e.to_string(),
                })?;
            Ok(functions)
        });
        for function in finalized.as_deref().unwrap_or_default() {
            let code = module.get_finalized_function(*function);
            // SAFETY: `function` gave it exactly this signature.
            native
                .entries
                .push(unsafe { std::mem::transmute::<*const u8, Entry>(code) });
        }
        // From here on the memory has an owner that frees it.
        native.module = Some(Box::new(module));
        finalized.map(|_| native)
    }

    /// Runs a program once.
    ///
    /// # Panics
    /// If the memory is smaller than what the code was compiled for.
    #[inline]
    pub fn run(&self, program: usize, memory: &mut [u64]) {
        assert!(memory.len() >= self.words, "memory of another program");
        // SAFETY: the code accesses words below `self.words` only: slots of
        // the layout, and runs within it at masked indices.
        unsafe { self.entries[program](memory.as_mut_ptr()) }
    }
}

/// Defines one function.
fn function(module: &mut JITModule, plan: &Plan, name: &str) -> Result<FuncId, SimError> {
    let failed = |reason: String| SimError::Codegen { reason };
    let mut context = module.make_context();
    let pointer = module.target_config().pointer_type();
    context.func.signature.params.push(AbiParam::new(pointer));
    let mut frontend = FunctionBuilderContext::new();
    let mut builder = FunctionBuilder::new(&mut context.func, &mut frontend);
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let memory = builder.block_params(entry)[0];
    let values = vec![None; plan.words.len()];
    let mut translator = Translator {
        plan,
        builder,
        memory,
        values,
    };
    translator.steps(&plan.steps);
    translator.builder.ins().return_(&[]);
    translator.builder.seal_all_blocks();
    translator.builder.finalize();
    let id = module
        .declare_function(name, Linkage::Local, &context.func.signature)
        .map_err(|e| failed(e.to_string()))?;
    module
        .define_function(id, &mut context)
        .map_err(|e| failed(format!("{e:?}")))?;
    module.clear_context(&mut context);
    Ok(id)
}

struct Translator<'a> {
    plan: &'a Plan,
    builder: FunctionBuilder<'a>,
    memory: Value,
    /// Computed words; comparisons are kept as they are, 8 bits wide.
    values: Vec<Option<Value>>,
}

impl Translator<'_> {
    fn steps(&mut self, steps: &[Step]) {
        let flags = MemFlags::trusted();
        for step in steps {
            match step {
                Step::Compute(word) => self.values[word.index()] = Some(self.compute(*word)),
                Step::Store(slot, word) => {
                    let value = self.get(*word);
                    let offset = byte_offset(*slot);
                    self.builder.ins().store(flags, value, self.memory, offset);
                }
                Step::StoreAt(run, index, word) => {
                    let value = self.get(*word);
                    let address = self.address(*run, *index);
                    self.builder
                        .ins()
                        .store(flags, value, address, byte_offset(run.base));
                }
                Step::If {
                    flag,
                    then,
                    otherwise,
                } => {
                    let flag = self.condition(*flag);
                    let [a, b, end] = [(); 3].map(|()| self.builder.create_block());
                    let (a_to, b_to) = match (then.is_empty(), otherwise.is_empty()) {
                        (false, false) => (a, b),
                        (false, true) => (a, end),
                        _ => (end, b),
                    };
                    self.builder.ins().brif(flag, a_to, &[], b_to, &[]);
                    for (block, steps) in [(a, then), (b, otherwise)] {
                        if !steps.is_empty() {
                            self.builder.switch_to_block(block);
                            self.steps(steps);
                            self.builder.ins().jump(end, &[]);
                        }
                    }
                    self.builder.switch_to_block(end);
                }
            }
        }
    }

    fn load(&mut self, slot: u32) -> Value {
        let flags = MemFlags::trusted();
        self.builder
            .ins()
            .load(types::I64, flags, self.memory, byte_offset(slot))
    }

    /// The address of a run's word, less the offset of its base.
    fn address(&mut self, run: Run, index: Word) -> Value {
        let index = self.get(index);
        // Whatever the index: the access stays within the run.
        let index = self.builder.ins().band_imm(index, (run.len() - 1) as i64);
        let bytes = self
            .builder
            .ins()
            .imul_imm(index, i64::from(run.stride) * 8);
        self.builder.ins().iadd(self.memory, bytes)
    }

    /// A word in 64 bits.
    fn get(&mut self, word: Word) -> Value {
        match (self.plan.words.op(word), self.values[word.index()]) {
            (WordOp::Const(value), _) => self.builder.ins().iconst(types::I64, value as i64),
            (WordOp::Eq(..) | WordOp::Less(..), Some(value)) => {
                self.builder.ins().uextend(types::I64, value)
            }
            (_, Some(value)) => value,
            (WordOp::Load(slot), None) => self.load(slot),
            (_, None) => unreachable!("operands are computed before their users"),
        }
    }

    /// A flag to branch or select by.
    fn condition(&mut self, word: Word) -> Value {
        match (self.plan.words.op(word), self.values[word.index()]) {
            (WordOp::Eq(..) | WordOp::Less(..), Some(value)) => value,
            _ => self.get(word),
        }
    }

    fn compute(&mut self, word: Word) -> Value {
        use WordOp::*;
        let op = self.plan.words.op(word);
        if let Select(c, a, b) = op {
            let (c, a, b) = (self.condition(c), self.get(a), self.get(b));
            return self.builder.ins().select(c, a, b);
        }
        if let (And(a, b) | Or(a, b) | Xor(a, b) | Add(a, b) | Eq(a, b), Some(immediate)) =
            (op, self.immediate(op))
        {
            let _ = b;
            let a = self.get(a);
            let ins = self.builder.ins();
            return match op {
                And(..) => ins.band_imm(a, immediate),
                Or(..) => ins.bor_imm(a, immediate),
                Xor(..) => ins.bxor_imm(a, immediate),
                Add(..) => ins.iadd_imm(a, immediate),
                _ => ins.icmp_imm(IntCC::Equal, a, immediate),
            };
        }
        match op {
            Load(slot) => self.load(slot),
            Const(value) => self.builder.ins().iconst(types::I64, value as i64),
            Shl(a, by) => {
                let a = self.get(a);
                self.builder.ins().ishl_imm(a, i64::from(by))
            }
            Shr(a, by) => {
                let a = self.get(a);
                self.builder.ins().ushr_imm(a, i64::from(by))
            }
            Popcount(a) => {
                let a = self.get(a);
                self.builder.ins().popcnt(a)
            }
            Table(run, index) => {
                let address = self.address(run, index);
                let flags = MemFlags::trusted();
                self.builder
                    .ins()
                    .load(types::I64, flags, address, byte_offset(run.base))
            }
            And(a, b)
            | Or(a, b)
            | Xor(a, b)
            | Add(a, b)
            | Sub(a, b)
            | Mul(a, b)
            | MulHigh(a, b)
            | Eq(a, b)
            | Less(a, b)
            | ShlBy(a, b)
            | ShrBy(a, b) => {
                let (a, b) = (self.get(a), self.get(b));
                let ins = self.builder.ins();
                match op {
                    And(..) => ins.band(a, b),
                    Or(..) => ins.bor(a, b),
                    Xor(..) => ins.bxor(a, b),
                    Add(..) => ins.iadd(a, b),
                    Sub(..) => ins.isub(a, b),
                    Mul(..) => ins.imul(a, b),
                    MulHigh(..) => ins.umulhi(a, b),
                    Eq(..) => ins.icmp(IntCC::Equal, a, b),
                    Less(..) => ins.icmp(IntCC::UnsignedLessThan, a, b),
                    // Shifts count modulo the width here, too.
                    ShlBy(..) => ins.ishl(a, b),
                    _ => ins.ushr(a, b),
                }
            }
            Select(..) => unreachable!("handled above"),
        }
    }

    /// The constant second operand.
    fn immediate(&self, op: WordOp) -> Option<i64> {
        let mut last = None;
        op.operands(|o| last = Some(o));
        self.plan.words.value(last?).map(|v| v as i64)
    }
}

/// Layouts end before 2^27 words.
fn byte_offset(slot: u32) -> i32 {
    slot as i32 * 8
}
