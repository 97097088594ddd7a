class Toast {
  constructor(container) {
    this.container = container;
  }

  show(message, kind) {
    const node = document.createElement('div');
    node.className = 'toast toast-' + kind;
    const text = document.createElement('p');
    text.textContent = message;
    node.appendChild(text);
    this.container.appendChild(node);
    return node;
  }
}

module.exports = Toast;
