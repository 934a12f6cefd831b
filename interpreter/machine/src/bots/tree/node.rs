//! The tree: nodes, what is known of each, and what values of arguments have in common all over it.

use std::collections::BTreeMap;

/// A node by its place; the first is the root.
pub(super) type NodeId = u32;

/// Where the search begins.
pub(super) const ROOT: NodeId = 0;

/// What is known of a node, as whoever chose the way to it sees it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    /// How often it was visited.
    pub visits: u32,
    /// How often it could have been chosen, since it was first visited.
    pub available: u32,
    /// The values of these visits for who chose, each 0 to 1.
    pub sum: f64,
}

/// A node is found by its parent and the meaning of the step from there. Nodes are never looked at in another order
/// than that of the options, so nothing depends on how they are kept.
pub(super) struct Tree {
    nodes: Vec<Node>,
    children: BTreeMap<(NodeId, u64), NodeId>,
    /// The most nodes there may be.
    most: usize,
}

impl Tree {
    /// A root alone; with so many nodes the tree stops growing.
    pub fn new(most: usize) -> Self {
        let most = most.clamp(1, NodeId::MAX as usize);
        Self { nodes: vec![Node::default()], children: BTreeMap::new(), most }
    }

    /// How many nodes there are.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// What is known of a node.
    pub fn node(&self, id: NodeId) -> Node {
        self.nodes[id as usize]
    }

    /// The node that a step leads to, if anybody has gone there.
    pub fn child(&self, parent: NodeId, key: u64) -> Option<NodeId> {
        self.children.get(&(parent, key)).copied()
    }

    /// The node that a step leads to, and whether it is new. Nothing if it would be new and the tree is full.
    pub fn grow(&mut self, parent: NodeId, key: u64) -> Option<(NodeId, bool)> {
        if let Some(child) = self.child(parent, key) {
            return Some((child, false));
        }
        if self.nodes.len() >= self.most {
            return None;
        }
        let child = self.nodes.len() as NodeId;
        self.nodes.push(Node::default());
        self.children.insert((parent, key), child);
        Some((child, true))
    }

    /// A node could have been chosen.
    pub fn offer(&mut self, id: NodeId) {
        self.nodes[id as usize].available += 1;
    }

    /// A node was visited, which was worth so much to who chose.
    pub fn visit(&mut self, id: NodeId, value: f64) {
        let node = &mut self.nodes[id as usize];
        node.visits += 1;
        node.sum += value;
    }
}

/// What came of choosing a value of an argument, wherever it was.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Record {
    /// How often it was chosen.
    pub visits: u32,
    /// The values of these choices for who chose.
    pub sum: f64,
}

/// Records of values by what they mean: player, option, place of the argument, and value.
pub(super) struct Shared {
    records: BTreeMap<u64, Record>,
    /// The most records there may be.
    most: usize,
}

impl Shared {
    /// No records; there may be so many.
    pub fn new(most: usize) -> Self {
        Self { records: BTreeMap::new(), most }
    }

    /// The record of a value; empty if there is none.
    pub fn of(&self, key: u64) -> Record {
        self.records.get(&key).copied().unwrap_or_default()
    }

    /// A value was chosen, and that was worth so much to who chose. With too many records new values are passed over.
    pub fn add(&mut self, key: u64, value: f64) {
        if self.records.len() >= self.most && !self.records.contains_key(&key) {
            return;
        }
        let record = self.records.entry(key).or_default();
        record.visits += 1;
        record.sum += value;
    }
}
